// All facts about readers, and about the system between the readers and libnfc, at one moment

/// The connected readers, and the facts about the system that affect them.
public struct ReaderSurvey: Hashable, Sendable {
    /// The readers, sorted by port, including those that libnfc cannot drive.
    ///
    /// Serial adapters are not included; see `serialPorts`.
    public let readers: [SurveyedReader]
    /// The serial ports, including missing ones that are in libnfc's settings.
    public let serialPorts: [SerialPort]
    /// The serial adapters, recognised by ID, that have no serial port.
    ///
    /// Such an adapter has no driver, or a program has detached the driver.
    public let portlessAdapters: [USBReader]
    /// The facts that apply to all readers.
    public let system: SystemFacts

    /// Creates a survey.
    public init(
        readers: [SurveyedReader], serialPorts: [SerialPort] = [], portlessAdapters: [USBReader] = [],
        system: SystemFacts
    ) {
        self.readers = readers
        self.serialPorts = serialPorts
        self.portlessAdapters = portlessAdapters
        self.system = system
    }
}

/// A reader, this user's access to it, the processes that have it open, and its udev rules.
public struct SurveyedReader: Hashable, Sendable {
    /// The reader.
    public let reader: USBReader
    /// Whether this user may use the reader.
    public let access: NodeAccess
    /// The processes that have the reader open.
    public let holders: NodeHolders
    /// The udev rules that contain the reader's vendor ID, in the order in which udev applies them.
    public let rules: [UdevRule]

    /// Whether pcscd holds the reader, as far as this user can see.
    public var isHeldBySmartCardDaemon: Bool { reader.isHeldBySmartCardDaemon(holders) }

    /// Creates a surveyed reader.
    public init(
        reader: USBReader, access: NodeAccess, holders: NodeHolders = NodeHolders(), rules: [UdevRule] = []
    ) {
        self.reader = reader
        self.access = access
        self.holders = holders
        self.rules = rules
    }
}

/// The facts about the system that apply to all readers.
public struct SystemFacts: Hashable, Sendable {
    /// The user who runs this program.
    public let user: SessionUser
    /// The platform on which this program runs.
    public let machine: HostMachine
    /// The kernel modules that concern readers.
    public let modules: KernelModules
    /// The PC/SC daemon.
    public let smartCardDaemon: SmartCardDaemon
    /// The drivers of the PC/SC daemon.
    public let smartCardDrivers: [SmartCardDriver]
    /// The settings of libnfc.
    public let configuration: LibNFCConfiguration

    /// Creates facts.
    public init(
        user: SessionUser, machine: HostMachine = HostMachine(), modules: KernelModules = KernelModules(),
        smartCardDaemon: SmartCardDaemon = SmartCardDaemon(), smartCardDrivers: [SmartCardDriver] = [],
        configuration: LibNFCConfiguration = LibNFCConfiguration()
    ) {
        self.smartCardDrivers = smartCardDrivers
        self.user = user
        self.machine = machine
        self.modules = modules
        self.smartCardDaemon = smartCardDaemon
        self.configuration = configuration
    }
}

extension ReaderSurvey {
    /// Collects all facts now.
    ///
    /// - Parameters:
    ///   - root: this machine, or a copy of parts of one.
    ///   - environment: the environment variables, for libnfc's settings.
    ///   - processes: processes that do not count as holders of a reader, such as children of this process.
    public init(
        root: SystemRoot = SystemRoot(), environment: [String: String], leavingOut processes: Set<Int32> = []
    ) {
        let names = AccountNames(root: root)
        let table = ProcessTable(root: root, names: names, leavingOut: processes)
        let connected = USBReader.connected(root: root)
        let readers = connected.filter { $0.model.support != .serialAdapter }
        let rules = UdevRules(root: root, vendors: Set(readers.map(\.model.vendor)))
        let configuration = LibNFCConfiguration(root: root, environment: environment)
        let ports = SerialPort.present(root: root, processes: table, names: names)
        self.init(
            readers: readers.map { reader in
                SurveyedReader(
                    reader: reader, access: NodeAccess(of: reader.node, root: root, names: names),
                    holders: table.holders(of: reader.node),
                    rules: rules.naming(vendor: reader.model.vendor, product: reader.model.product))
            },
            serialPorts: ports
                + SerialPort.named(by: configuration, notAmong: ports, root: root, processes: table, names: names),
            portlessAdapters: connected.filter { device in
                device.model.support == .serialAdapter && !ports.contains { $0.adapter?.port == device.port }
            },
            system: SystemFacts(
                user: SessionUser(root: root, names: names), machine: HostMachine(root: root),
                modules: KernelModules(root: root), smartCardDaemon: SmartCardDaemon(root: root, processes: table),
                smartCardDrivers: SmartCardDriver.installed(root: root),
                configuration: configuration))
    }
}
