// What udev does for a reader — udev(7)

/// A line of a rules file that names a reader's vendor and product number.
public struct UdevRule: Hashable, Sendable {
    /// The file.
    public let file: String
    /// The line, from 1: the first one of a line that is continued.
    public let line: Int
    /// The vendor number the line matches.
    public let vendor: UInt16
    /// The product number the line matches; nil when it matches every product of the vendor.
    public let product: UInt16?
    /// The permission bits it sets.
    public let mode: UInt16?
    /// The group it sets.
    public let group: String?
    /// Whether it asks for the user at the screen to be let in: `TAG+="uaccess"`.
    public let tagsUaccess: Bool
    /// Whether it lets the user at the screen in by itself, `RUN{builtin}+="uaccess"`, so that its place does not matter.
    public let appliesUaccess: Bool
    /// When the file was last changed, in seconds since 1970: a device plugged in before knows nothing of the rule.
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

    /// The file's name, which is its place in the order: udev sorts by it, whatever the folder.
    public var fileName: String { String(file.split(separator: "/").last ?? "") }

    /// Whether its mode and group are set before libccid's rules run, which then set them for smart-card readers again.
    public var runsBeforeLibccid: Bool { fileName.utf8.lexicographicallyPrecedes("92-libccid.rules".utf8) }

    /// Whether its `uaccess` comes too late: systemd looks for the tag in `73-seat-late.rules`.
    public var tagsUaccessTooLate: Bool {
        tagsUaccess && !appliesUaccess && !fileName.utf8.lexicographicallyPrecedes("73-seat-late.rules".utf8)
    }
}
