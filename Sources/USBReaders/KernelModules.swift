// Kernel modules that get in the way — proc(5), /proc/modules; modprobe.d(5)

/// The kernel modules that are loaded, and those that are kept from loading.
public struct KernelModules: Hashable, Sendable {
    /// The loaded modules that have to do with readers and serial ports: `pn533_usb`, `nfc`, `cp210x` …
    public let loaded: [Module]
    /// What modprobe's files forbid.
    public let blacklisted: [Blacklisting]

    /// Creates a list of modules.
    public init(loaded: [Module] = [], blacklisted: [Blacklisting] = []) {
        self.loaded = loaded
        self.blacklisted = blacklisted
    }

    /// The modules that a blacklist must name to keep the kernel off PN533 readers.
    public static let inTheWay = ["nfc", "pn533", "pn533_usb"]

    /// Which of `inTheWay` no file forbids.
    public var missingFromBlacklist: [String] {
        Self.inTheWay.filter { name in !blacklisted.contains { $0.module == name } }
    }

    /// A module in memory.
    public struct Module: Hashable, Sendable {
        /// Its name, with underscores as the kernel writes it.
        public let name: String
        /// The modules that use it, which must go first.
        public let users: [String]

        /// Creates a module.
        public init(name: String, users: [String] = []) {
            self.name = name
            self.users = users
        }
    }

    /// A line of a modprobe file that forbids a module.
    public struct Blacklisting: Hashable, Sendable {
        /// The module, with underscores.
        public let module: String
        /// How the line forbids it.
        public let means: Means
        /// The file.
        public let file: String
        /// The line, from 1.
        public let line: Int

        /// Creates a blacklisting.
        public init(module: String, means: Means, file: String, line: Int) {
            self.module = module
            self.means = means
            self.file = file
            self.line = line
        }

        /// How a line forbids a module.
        public enum Means: String, Hashable, Sendable {
            /// `blacklist NAME`: not loaded for a device; by name it still is.
            case blacklist
            /// `install NAME /bin/false` (or true): not loaded at all.
            case install
        }
    }
}
