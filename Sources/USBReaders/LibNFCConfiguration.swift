// libnfc's settings in files and environment variables — libnfc 1.8, libnfc.conf.sample

/// The settings that libnfc reads before it looks for readers.
public struct LibNFCConfiguration: Hashable, Sendable {
    /// The existing settings files, in the order in which libnfc reads them.
    public let files: [String]
    /// Whether libnfc looks for devices (`allow_autoscan` or `LIBNFC_AUTO_SCAN`).
    ///
    /// If not, libnfc lists only the devices in its settings. libnfc's default is true.
    public let allowsAutoscan: Bool
    /// Whether libnfc also tries serial ports (`allow_intrusive_scan` or `LIBNFC_INTRUSIVE_SCAN`).
    ///
    /// libnfc's default is false.
    public let allowsIntrusiveScan: Bool
    /// The devices in the settings.
    public let devices: [Device]
    /// The environment variables whose names begin with `LIBNFC_`.
    public let environment: [String: String]

    /// Creates a configuration.
    ///
    /// The default values are those of libnfc.
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

    /// A device in libnfc's settings.
    public struct Device: Hashable, Sendable {
        /// The name of the device; nil if it has none.
        public let name: String?
        /// The connection string.
        public let connection: String
        /// Whether libnfc tolerates a missing device.
        public let isOptional: Bool
        /// The source of the setting: the path of a file, or the name of an environment variable.
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
