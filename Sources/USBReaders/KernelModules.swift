// Kernel modules that interfere with readers — proc(5), /proc/modules; modprobe.d(5)

/// The loaded kernel modules, and those that are prevented from loading.
public struct KernelModules: Hashable, Sendable {
    /// The loaded modules that concern readers and serial ports, such as `pn533_usb` and `cp210x`.
    public let loaded: [Module]
    /// The entries in modprobe's files and on the kernel's command line that forbid such modules, whether loaded or
    /// not.
    public let blacklisted: [Blacklisting]

    /// Creates a list of modules.
    public init(loaded: [Module] = [], blacklisted: [Blacklisting] = []) {
        self.loaded = loaded
        self.blacklisted = blacklisted
    }

    /// The modules that a blacklist must contain so that the kernel does not use PN533 readers.
    public static let inTheWay = ["nfc", "pn533", "pn533_usb"]

    /// The modules in `inTheWay` that neither a file nor the kernel's command line forbids.
    public var missingFromBlacklist: [String] {
        Self.inTheWay.filter { name in !blacklisted.contains { $0.module == name } }
    }

    /// A loaded module.
    public struct Module: Hashable, Sendable {
        /// The name of the module, with underscores as in the kernel.
        public let name: String
        /// The modules that use this module and must therefore be unloaded first.
        public let users: [String]

        /// Creates a module.
        public init(name: String, users: [String] = []) {
            self.name = name
            self.users = users
        }
    }

    /// An entry in a modprobe file or on the kernel's command line that forbids a module.
    public struct Blacklisting: Hashable, Sendable {
        /// The name of the module, with underscores.
        public let module: String
        /// How the entry forbids the module.
        public let means: Means
        /// The path of the file with the entry; `/proc/cmdline` for the kernel's command line.
        public let file: String
        /// The number of the line in the file, starting at 1.
        public let line: Int

        /// Creates an entry.
        public init(module: String, means: Means, file: String, line: Int) {
            self.module = module
            self.means = means
            self.file = file
            self.line = line
        }

        /// How an entry forbids a module.
        public enum Means: String, Hashable, Sendable {
            /// `blacklist NAME` or `modprobe.blacklist=NAME`: no device loads the module, but it can still be loaded by
            /// name.
            case blacklist
            /// `install NAME /bin/false` (or `/bin/true`) or `module_blacklist=NAME`: the module cannot be loaded.
            case install
        }
    }
}

extension KernelModules {
    private static let watched: Set<String> = [
        "nfc", "nci", "nfc_digital", "pn533", "pn533_usb", "pn533_i2c", "pn532_uart", "port100", "usbserial", "cp210x",
        "ch341", "ftdi_sio", "pl2303", "cdc_acm", "i2c_dev", "spidev",
    ]
    private static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/modprobe.d" }

    init(root: SystemRoot) {
        let loaded = root.lines("/proc/modules").compactMap { line -> Module? in
            let fields = line.split(separator: " ")
            guard fields.count >= 4, Self.watched.contains(String(fields[0])) else { return nil }
            return Module(
                name: String(fields[0]), users: fields[3] == "-" ? [] : fields[3].split(separator: ",").map(String.init)
            )
        }
        let forbidden = root.files(in: Self.folders, ending: ".conf").flatMap { file in
            root.numberedLines(file).compactMap { Blacklisting(words: $0.text, file: file, line: $0.number) }
        }
        self.init(
            loaded: loaded,
            blacklisted: (forbidden + Self.commandLine(root)).filter { Self.watched.contains($0.module) })
    }

    /// Returns the entries in `modprobe.blacklist=` (for modprobe) and `module_blacklist=` (for the kernel).
    private static func commandLine(_ root: SystemRoot) -> [Blacklisting] {
        let file = "/proc/cmdline"
        let words = (root.attribute(file) ?? "").split(separator: " ")
        return [("modprobe.blacklist=", Blacklisting.Means.blacklist), ("module_blacklist=", .install)].flatMap {
            key, means in
            words.filter { $0.hasPrefix(key) }.flatMap { $0.dropFirst(key.count).split(separator: ",") }
                .map { Blacklisting(module: normalized($0), means: means, file: file, line: 1) }
        }
    }

    /// Replaces dashes with underscores.
    ///
    /// modprobe treats both as equal.
    fileprivate static func normalized(_ name: Substring) -> String {
        String(name.map { $0 == "-" ? "_" : $0 })
    }
}

extension KernelModules.Blacklisting {
    fileprivate init?(words line: String, file: String, line number: Int) {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2 else { return nil }
        let module = KernelModules.normalized(words[1])
        switch words[0] {
        case "blacklist":
            self.init(module: module, means: .blacklist, file: file, line: number)
        case "install" where words.count == 3 && ["false", "true"].contains(words[2].split(separator: "/").last):
            self.init(module: module, means: .install, file: file, line: number)
        default:
            return nil
        }
    }
}
