// Reads libnfc's settings as libnfc does — libnfc 1.8.0, conf.c and nfc-internal.c

extension LibNFCConfiguration {
    private static let mainFile = "/etc/nfc/libnfc.conf"
    private static let devicesFolder = "/etc/nfc/devices.d"
    /// The maximum number of devices in libnfc's settings (MAX_USER_DEFINED_DEVICES).
    ///
    /// libnfc ignores any further devices.
    private static let mostDevices = 4

    init(root: SystemRoot, environment: [String: String]) {
        let variables = environment.filter { $0.key.hasPrefix("LIBNFC_") }
        var settings = Settings()
        if let connection = variables["LIBNFC_DEFAULT_DEVICE"] {
            settings.devices.append(Device(connection: connection, source: "LIBNFC_DEFAULT_DEVICE"))
        }
        var files: [String] = []
        if root.text(Self.mainFile) != nil {
            files.append(Self.mainFile)
            settings.read(root.lines(Self.mainFile), of: Self.mainFile, prefix: "")
        }
        for file in root.files(in: [Self.devicesFolder], ending: ".conf") where root.text(file) != nil {
            files.append(file)
            settings.read(root.lines(file), of: file, prefix: "device.")
        }
        settings.endDevice()
        // This variable overrides all devices in the files.
        if let connection = variables["LIBNFC_DEVICE"] {
            settings.devices = [Device(connection: connection, source: "LIBNFC_DEVICE")]
        }
        Settings.read(variables["LIBNFC_AUTO_SCAN"], into: &settings.allowsAutoscan)
        Settings.read(variables["LIBNFC_INTRUSIVE_SCAN"], into: &settings.allowsIntrusiveScan)
        self.init(
            files: files, allowsAutoscan: settings.allowsAutoscan, allowsIntrusiveScan: settings.allowsIntrusiveScan,
            devices: Array(settings.devices.prefix(Self.mostDevices)), environment: variables)
    }

    private struct Settings {
        var allowsAutoscan = true
        var allowsIntrusiveScan = false
        var devices: [Device] = []
        private var open = OpenDevice()

        /// The device whose lines are being read.
        ///
        /// A second name or connection string begins the next device.
        private struct OpenDevice {
            var name: String?
            var connection: String?
            var isOptional = false
            var source = ""
        }

        mutating func read(_ lines: [Substring], of file: String, prefix: String) {
            for line in lines where !line.hasPrefix("#") {
                guard let (key, value) = Self.pair(line) else { continue }
                switch prefix + key {
                case "allow_autoscan": Self.read(value, into: &allowsAutoscan)
                case "allow_intrusive_scan": Self.read(value, into: &allowsIntrusiveScan)
                case "device.name":
                    if open.name != nil { endDevice() }
                    open.name = value
                case "device.connstring":
                    if open.connection != nil { endDevice() }
                    open.connection = value
                    open.source = file
                case "device.optional":
                    if ["true", "True", "1"].contains(value) { open.isOptional = true }
                default: continue
                }
            }
        }

        mutating func endDevice() {
            if let connection = open.connection {
                devices.append(
                    Device(name: open.name, connection: connection, isOptional: open.isOptional, source: open.source))
            }
            open = OpenDevice()
        }

        /// Changes a value if libnfc accepts the word for this change.
        ///
        /// Any other word leaves the value unchanged.
        static func read(_ word: String?, into value: inout Bool) {
            switch (value, word) {
            case (false, "yes"), (false, "true"), (false, "1"): value = true
            case (true, "no"), (true, "false"), (true, "0"): value = false
            default: return
            }
        }

        /// Parses `key = value` or `key = "value"` with nothing after it.
        ///
        /// Returns nil for a line that libnfc ignores.
        private static func pair(_ line: Substring) -> (key: String, value: String)? {
            var rest = line.drop(while: \.isWhitespace)
            let key = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
            rest = rest.dropFirst(key.count).drop(while: \.isWhitespace)
            guard !key.isEmpty, rest.first == "=" else { return nil }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let isQuoted = rest.first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let value = rest.prefix { isQuoted ? $0 != "\"" : !$0.isWhitespace }
            rest = rest.dropFirst(value.count)
            if isQuoted {
                guard rest.first == "\"" else { return nil }
                rest = rest.dropFirst()
            }
            guard !value.isEmpty, rest.allSatisfy(\.isWhitespace) else { return nil }
            return (String(key), String(value))
        }
    }
}
