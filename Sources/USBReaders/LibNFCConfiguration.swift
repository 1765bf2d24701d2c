// libnfc's settings in files and environment — libnfc 1.8, libnfc.conf.sample

/// The settings that libnfc reads before it looks for readers.
public struct LibNFCConfiguration: Hashable, Sendable {
    /// The existing files, in libnfc's order.
    public let files: [String]
    /// Whether libnfc looks for devices (`allow_autoscan` or `LIBNFC_AUTO_SCAN`).
    ///
    /// If not, it lists only named devices. libnfc's default is true.
    public let allowsAutoscan: Bool
    /// Whether libnfc also tries serial ports (`allow_intrusive_scan` or `LIBNFC_INTRUSIVE_SCAN`).
    ///
    /// libnfc's default is false.
    public let allowsIntrusiveScan: Bool
    /// The named devices.
    public let devices: [Device]
    /// The environment variables that begin with `LIBNFC_`.
    public let environment: [String: String]

    /// Creates a configuration, by default with libnfc's defaults.
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

    /// A named device.
    public struct Device: Hashable, Sendable {
        /// The name; nil if it has none.
        public let name: String?
        /// The connection string.
        public let connection: String
        /// Whether the device may be missing.
        public let isOptional: Bool
        /// Where the device is named: the path of a file, or the name of a variable.
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
