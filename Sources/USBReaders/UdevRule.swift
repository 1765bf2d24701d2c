// The effects of udev on a reader — udev(7)

/// A line in a rules file that matches a reader's vendor ID, with or without its product ID.
public struct UdevRule: Hashable, Sendable {
    /// The path of the rules file.
    public let file: String
    /// The number of the line, starting at 1.
    ///
    /// For a continued line, this is the number of the first line.
    public let line: Int
    /// The vendor ID that the line matches.
    public let vendor: UInt16
    /// The product ID that the line matches; nil if it matches every product of the vendor.
    public let product: UInt16?
    /// The permission bits that the rule sets; nil if it sets none.
    public let mode: UInt16?
    /// The group that the rule sets; nil if it sets none.
    public let group: String?
    /// Whether the rule requests access for the user at the screen, with `TAG+="uaccess"`.
    public let tagsUaccess: Bool
    /// Whether the rule grants access to the user at the screen directly, with `RUN{builtin}+="uaccess"`.
    ///
    /// If so, the order of the rules does not matter.
    public let appliesUaccess: Bool
    /// When the file was last changed, in seconds since 1970.
    ///
    /// The rule does not affect a device that was plugged in before that time.
    public let modified: Int

    /// Creates a rule.
    public init(
        file: String, line: Int, vendor: UInt16, product: UInt16?, mode: UInt16? = nil, group: String? = nil,
        tagsUaccess: Bool = false, appliesUaccess: Bool = false, modified: Int = 0
    ) {
        self.file = file
        self.line = line
        self.vendor = vendor
        self.product = product
        self.mode = mode
        self.group = group
        self.tagsUaccess = tagsUaccess
        self.appliesUaccess = appliesUaccess
        self.modified = modified
    }

    /// The name of the file, which determines its position: udev sorts the files in all folders by name.
    public var fileName: String { String(file.split(separator: "/").last ?? "") }

    /// Whether the rule sets mode and group before libccid's rules, which then overwrite them for smart-card readers.
    public var runsBeforeLibccid: Bool { fileName.utf8.lexicographicallyPrecedes("92-libccid.rules".utf8) }

    /// Whether the rule's `uaccess` tag comes too late.
    ///
    /// systemd evaluates the tags in `73-seat-late.rules`.
    public var tagsUaccessTooLate: Bool {
        tagsUaccess && !appliesUaccess && !fileName.utf8.lexicographicallyPrecedes("73-seat-late.rules".utf8)
    }
}
