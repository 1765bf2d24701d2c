// What libnfc is told by files and environment — libnfc 1.8, libnfc.conf.sample

/// The settings libnfc reads before it looks for readers.
public struct LibNFCConfiguration: Hashable, Sendable {
    /// The files that are there, in libnfc's order.
    public let files: [String]
    /// Whether devices are looked for, `allow_autoscan` or `LIBNFC_AUTO_SCAN`, else only named ones are listed.
    ///
    /// libnfc's default is true.
    public let allowsAutoscan: Bool
    /// Whether serial ports are tried too, `allow_intrusive_scan` or `LIBNFC_INTRUSIVE_SCAN`.
    ///
    /// libnfc's default is false.
    public let allowsIntrusiveScan: Bool
    /// The devices that are named.
    public let devices: [Device]
    /// The variables of the environment that begin with `LIBNFC_`.
    public let environment: [String: String]

    /// Creates a configuration; libnfc's defaults by default.
    public init(
        files: [String] = [], allowsAutoscan: Bool = true, allowsIntrusiveScan: Bool = false, devices: [Device] = [],
        environment: [String: String] = [:]
    ) {
        self.files = files
        self.allowsAutoscan = allowsAutoscan
        self.allowsIntrusiveScan = allowsIntrusiveScan
        self.devices = devices
        self.environment = environment
    }

    /// A device that is named.
    public struct Device: Hashable, Sendable {
        /// Its name; nil when it was given none.
        public let name: String?
        /// Its connection string.
        public let connection: String
        /// Whether it may be missing.
        public let isOptional: Bool
        /// Where it is named: a file, or the name of a variable.
        public let source: String

        /// Creates a device.
        public init(name: String? = nil, connection: String, isOptional: Bool = false, source: String) {
            self.name = name
            self.connection = connection
            self.isOptional = isOptional
            self.source = source
        }
    }
}
