// Parts of surveys: readers, ports, holders, rules, modules, users

package import Doctor
package import USBReaders

package enum Part {
    package static let secretSerial = "SN-4711-XYZ"
    package static let user = "alice"
    package static let acr122 = "acr122_usb:001:004"

    package static func model(_ vendor: UInt16, _ product: UInt16) -> ReaderModel {
        ReaderModel.known(vendor: vendor, product: product)
            ?? ReaderModel(vendor: vendor, product: product, name: "?", support: .serialAdapter)
    }

    package static func reader(
        _ vendor: UInt16 = 0x072F, _ product: UInt16 = 0x2200, port: [UInt8] = [2], device: UInt8 = 4,
        driver: String? = nil, serial: String? = nil
    ) -> USBReader {
        guard let path = PortPath(bus: 1, ports: port) else { preconditionFailure("a port that is none") }
        return USBReader(
            model: model(vendor, product), port: path, device: device, manufacturer: "ACS", product: "ACR122U",
            serial: serial, interfaces: [.init(number: 0, classCode: 0x0B, kernelDriver: driver)])
    }

    package static func ownership(
        _ group: String = "root", _ mode: UInt16 = 0o664, number: UInt32 = 0, changed: Int = 0
    ) -> NodeAccess.Ownership {
        .init(
            owner: 0, ownerName: "root", group: number, groupName: group, mode: mode, hasACL: false, changed: changed)
    }

    package static func plugged(
        _ reader: USBReader = reader(), _ verdict: NodeAccess.Verdict = .granted,
        _ ownership: NodeAccess.Ownership? = ownership("plugdev", number: 46), holders: NodeHolders = NodeHolders(),
        rules: [UdevRule] = []
    ) -> SurveyedReader {
        SurveyedReader(
            reader: reader, access: NodeAccess(path: reader.node, verdict: verdict, ownership: ownership),
            holders: holders, rules: rules)
    }

    package static func rule(_ file: String, group: String? = nil, uaccess: Bool = false, modified: Int = 0) -> UdevRule
    {
        UdevRule(
            file: file, line: 3, vendor: 0x072F, product: 0x2200, mode: group == nil ? nil : 0o664, group: group,
            tagsUaccess: uaccess, modified: modified)
    }

    package static let blacklist = KernelModules.inTheWay.map {
        KernelModules.Blacklisting(
            module: $0, means: .blacklist, file: "/etc/modprobe.d/blacklist-libnfc.conf", line: 1)
    }

    package static func modules(loaded: [String] = [], blacklisted: [String] = KernelModules.inTheWay) -> KernelModules
    {
        KernelModules(
            loaded: loaded.map { .init(name: $0) }, blacklisted: blacklist.filter { blacklisted.contains($0.module) })
    }

    package static func someone(in groups: [String] = [], soon: [String] = [], atSeat: Bool = false) -> SessionUser {
        let numbers: [String: UInt32] = ["plugdev": 46, "dialout": 20]
        let group: (String) -> SessionUser.Group = { .init(number: numbers[$0] ?? 1000, name: $0) }
        return SessionUser(
            number: 1000, name: user, groups: groups.map(group), groupsNotYetInSession: soon.map(group),
            deviceGroups: ["plugdev", "dialout"].map(group), isAtSeat: atSeat)
    }

    package static func system(
        user: SessionUser = someone(in: ["plugdev"]), machine: HostMachine = HostMachine(),
        modules: KernelModules = modules(), daemon: SmartCardDaemon = SmartCardDaemon(),
        drivers: [SmartCardDriver] = [], settings: LibNFCConfiguration = LibNFCConfiguration()
    ) -> SystemFacts {
        SystemFacts(
            user: user, machine: machine, modules: modules, smartCardDaemon: daemon, smartCardDrivers: drivers,
            configuration: settings)
    }

    package static func holder(_ name: String, _ process: Int32, user: UInt32 = 1000) -> NodeHolder {
        NodeHolder(process: process, name: name, user: user, userName: user == 0 ? "root" : Part.user)
    }

    package static func serialPort(
        _ verdict: NodeAccess.Verdict = .granted, holders: NodeHolders = NodeHolders(), stable: [String] = []
    ) -> SerialPort {
        let node = "/dev/ttyUSB0"
        return SerialPort(
            node: node, stableNames: stable, adapter: reader(0x1A86, 0x7523, port: [3]), driver: "ch341-uart",
            access: NodeAccess(path: node, verdict: verdict, ownership: ownership("dialout", 0o660, number: 20)),
            holders: holders)
    }

    /// A port that libnfc's settings name, as the survey shows it.
    package static let missing = NodeAccess(path: "/dev/ttyS9", verdict: .missing)

    package static let answers: Opening = .answered(chip: "PN532 v1.6", after: .milliseconds(62))
    package static let mute: Opening = .failed(
        .readerFailed, message: "The reader failed while opening: it did not answer (error -1).")
}
