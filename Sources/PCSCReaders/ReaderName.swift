// Names of PC/SC readers, and how users write them — pcscd composes `product [interface] (serial) XX YY`

enum ReaderName: Hashable {
    /// A name, its first part, or a pattern in which `*` matches any text.
    case text(String)
    /// The USB device with this bus and device number.
    case usb(bus: UInt8, device: UInt8)

    static let scheme = "pcsc:"

    /// Parses a connection string.
    ///
    /// Returns nil if the string belongs to another back end.
    init?(_ connection: String) {
        guard connection.hasPrefix(Self.scheme) else { return nil }
        let name = String(connection.dropFirst(Self.scheme.count))
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "usb", let bus = UInt8(parts[1]), let device = UInt8(parts[2]) {
            self = .usb(bus: bus, device: device)
        } else {
            self = .text(name)
        }
    }

    /// Whether a name belongs to a security module's slot in a contactless reader.
    ///
    /// pcscd shows it as a separate reader.
    static func isSAM(_ name: String) -> Bool {
        name.lowercased().split { !$0.isLetter }.contains("sam")
    }

    /// Returns the readers that a string names, without slots for security modules.
    ///
    /// If a reader has exactly that name, only this reader is returned. Otherwise, all readers whose names start with
    /// the string or match the pattern are returned.
    static func matches(_ text: String, among readers: [String]) -> [String] {
        if readers.contains(text) { return [text] }
        let pattern = Array(text.contains("*") ? text : text + "*")
        return readers.filter { !isSAM($0) && fits(Array($0), pattern) }
    }

    /// Whether a name matches a pattern.
    ///
    /// The comparison backtracks only to the last `*`.
    private static func fits(_ name: [Character], _ pattern: [Character]) -> Bool {
        var (position, next) = (0, 0)
        var star: (pattern: Int, name: Int)?
        while position < name.count {
            if next < pattern.count, pattern[next] == "*" {
                star = (next, position)
                next += 1
            } else if next < pattern.count, pattern[next] == name[position] {
                (position, next) = (position + 1, next + 1)
            } else if let last = star {
                star = (last.pattern, last.name + 1)
                (position, next) = (last.name + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }

    /// Returns the shortest name that stays valid when other readers are connected or disconnected.
    ///
    /// It omits the index and slot at the end if no other reader's name begins with the rest of the name.
    static func lasting(_ name: String, among readers: [String]) -> String {
        let parts = name.split(separator: " ")
        guard parts.count > 2, parts.suffix(2).allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
            return name
        }
        let short = parts.dropLast(2).joined(separator: " ")
        return matches(short, among: readers) == [name] ? short : name
    }
}
