// Names of PC/SC readers, and what a user writes for one — pcscd composes `product [interface] (serial) XX YY`

/// What names a PC/SC reader behind `pcsc:`.
enum ReaderName: Hashable {
    /// A name, its beginning, or a pattern in which `*` stands for any text.
    case text(String)
    /// The USB device of that bus and number.
    case usb(bus: UInt8, device: UInt8)

    /// How connection strings of PC/SC readers begin.
    static let scheme = "pcsc:"

    /// Parses a connection string; nil for one of another back end.
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

    /// A slot for a security module in a contactless reader, which pcscd shows as a reader of its own.
    static func isSAM(_ name: String) -> Bool {
        name.lowercased().split { !$0.isLetter }.contains("sam")
    }

    /// The readers that a text names: the one of exactly that name, else those that begin so or match the pattern, without
    /// slots for security modules.
    static func matches(_ text: String, among readers: [String]) -> [String] {
        if readers.contains(text) { return [text] }
        let pattern = Array(text.contains("*") ? text : text + "*")
        return readers.filter { !isSAM($0) && fits(Array($0), pattern) }
    }

    /// Whether a name fits a pattern; linear in each, going back to the last `*` only.
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

    /// The shortest name that stays the same when other readers come and go: without the index and slot at the end, where no
    /// other reader begins so.
    static func lasting(_ name: String, among readers: [String]) -> String {
        let parts = name.split(separator: " ")
        guard parts.count > 2, parts.suffix(2).allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
            return name
        }
        let short = parts.dropLast(2).joined(separator: " ")
        return matches(short, among: readers) == [name] ? short : name
    }
}
