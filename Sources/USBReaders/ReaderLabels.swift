// The user's labels for readers

@preconcurrency import Glibc

/// The labels in a file with lines `LABEL = usb:1-2.3`, `LABEL = serial:ABC123` or `LABEL = CONNECTION`.
///
/// `#` begins a comment.
public struct ReaderLabels: Hashable, Sendable {
    /// The labels and their targets, in the order of the file.
    public let entries: [Entry]

    /// Creates a list of labels.
    ///
    /// By default, it is empty.
    public init(entries: [Entry] = []) { self.entries = entries }

    /// A label and its target.
    public struct Entry: Hashable, Sendable {
        /// The label.
        public let label: String
        /// The target of the label.
        public let target: Target
        /// The number of the line in the file, starting at 1.
        public let line: Int

        /// Creates an entry.
        public init(label: String, target: Target, line: Int = 1) {
            self.label = label
            self.target = target
            self.line = line
        }
    }

    /// The target of a label.
    public enum Target: Hashable, Sendable {
        /// The reader on this USB port: `usb:1-2.3`.
        case port(PortPath)
        /// The USB reader with this serial number: `serial:ABC123`.
        case serial(String)
        /// The reader with this connection string: `pn532_uart:/dev/ttyUSB0`, or `pcsc:` and the name of a PC/SC
        /// reader.
        case connection(String)
    }

    /// The maximum length of a label in characters.
    public static let longestLabel = 64
    /// The maximum length of a line in bytes, without the line break.
    static let longestLine = 1024
    static let largestFile = 1 << 16

    /// Returns the target of a label, or nil if there is no such label.
    public func target(of label: String) -> Target? {
        entries.first { $0.label == label }?.target
    }

    /// Returns the first label of a USB reader, or nil if it has none.
    public func label(of reader: USBReader) -> String? {
        entries.first { entry in
            switch entry.target {
            case .port(let port): port == reader.port
            case .serial(let serial): serial == reader.serial
            case .connection(let connection): connection == reader.connection
            }
        }?.label
    }

    /// Returns the first label of a connection string, or nil if it has none.
    public func label(ofConnection connection: String) -> String? {
        entries.first { $0.target == .connection(connection) }?.label
    }

    /// Whether a word can be a label.
    ///
    /// A label consists of letters, digits, `-`, `_` and `.`, and starts with a letter or digit.
    public static func isLabel(_ word: some StringProtocol) -> Bool {
        guard let first = word.first, first.isLetter || first.isNumber, word.count <= longestLabel else { return false }
        return word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
}

extension ReaderLabels {
    /// Returns the path of the file: `$XDG_CONFIG_HOME/nfctool/readers`, or `~/.config/nfctool/readers`.
    ///
    /// A relative `XDG_CONFIG_HOME` is ignored (XDG Base Directory). The result is nil if there is no home folder
    /// either.
    public static func file(environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/nfctool/readers" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/nfctool/readers"
    }

    /// Returns the path of the file as it is shown to people.
    ///
    /// The home folder is shown as `~`, unless `XDG_CONFIG_HOME` contains another folder.
    public static func fileName(environment: [String: String]) -> String {
        let usual = "/.config/nfctool/readers"
        guard let path = file(environment: environment), path != (environment["HOME"] ?? "") + usual else {
            return "~" + usual
        }
        return path
    }

    /// Reads the labels in the user's file.
    ///
    /// If there is no such file, there are no labels.
    ///
    /// - Throws: `ReaderLabelError` if the file cannot be read, or for the first line that is not valid.
    public init(root: SystemRoot = SystemRoot(), environment: [String: String]) throws(ReaderLabelError) {
        guard let path = Self.file(environment: environment) else {
            self.init()
            return
        }
        guard let bytes = root.bytes(path, limit: Self.largestFile + 1) else {
            // A path below a regular file does not exist either.
            guard access(root.place(path), F_OK) == 0 || ![ENOENT, ENOTDIR].contains(errno) else {
                self.init()
                return
            }
            throw ReaderLabelError(file: path, line: nil, problem: .unreadable)
        }
        guard bytes.count <= Self.largestFile else {
            throw ReaderLabelError(file: path, line: nil, problem: .tooLarge)
        }
        try self.init(text: String(decoding: bytes, as: UTF8.self), file: path)
    }

    /// Parses the labels in a string.
    ///
    /// - Throws: `ReaderLabelError` for the first line that is not valid.
    public init(text: String, file: String) throws(ReaderLabelError) {
        var entries: [Entry] = []
        let unmarked = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : Substring(text)
        let lines = unmarked.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in zip(1..., lines) {
            do throws(ReaderLabelError.Problem) {
                guard let entry = try Self.entry(of: line, number: number) else { continue }
                if let first = entries.first(where: { $0.label == entry.label }) {
                    throw .givenTwice(label: entry.label, firstLine: first.line)
                }
                entries.append(entry)
            } catch {
                throw ReaderLabelError(file: file, line: number, problem: error)
            }
        }
        self.init(entries: entries)
    }

    private static func entry(of line: Substring, number: Int) throws(ReaderLabelError.Problem) -> Entry? {
        guard line.utf8.count <= longestLine else { throw .lineTooLong }
        let text = trimmed(line)
        guard let first = text.first, first != "#" else { return nil }
        guard let sign = text.firstIndex(of: "=") else { throw .noEqualsSign }
        let label = trimmed(text[..<sign])
        guard isLabel(label) else { throw .notALabel(String(label)) }
        return Entry(
            label: String(label), target: try target(of: withoutComment(text[sign...].dropFirst())), line: number)
    }

    private static func target(of text: Substring) throws(ReaderLabelError.Problem) -> Target {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.first == "virtual" { throw .virtualReader(String(text)) }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .notATarget(String(text)) }
        switch parts[0] {
        case "usb":
            guard let port = PortPath(String(parts[1])) else { throw .notAPort(String(parts[1])) }
            return .port(port)
        case "serial":
            return .serial(String(parts[1]))
        // Names of PC/SC readers contain spaces.
        case "pcsc": return .connection(String(text))
        default:
            guard !text.contains(where: \.isWhitespace) else { throw .notATarget(String(text)) }
            return .connection(String(text))
        }
    }

    /// Returns a target without the comment after it.
    ///
    /// The comment must follow a space, because serial numbers may contain `#`.
    private static func withoutComment(_ text: Substring) -> Substring {
        var end = text.startIndex
        var isBehindSpace = true
        while end < text.endIndex, !(text[end] == "#" && isBehindSpace) {
            isBehindSpace = text[end].isWhitespace
            end = text.index(after: end)
        }
        return trimmed(text[..<end])
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}

/// The reason why a label file cannot be used.
public struct ReaderLabelError: Error, Hashable, Sendable {
    /// The path of the file.
    public let file: String
    /// The number of the line, starting at 1; nil if the problem concerns the whole file.
    public let line: Int?
    /// The problem.
    public let problem: Problem

    /// A problem with the file or with a line.
    public enum Problem: Error, Hashable, Sendable {
        /// The file exists but cannot be read.
        case unreadable
        /// The file is larger than 64 KiB.
        case tooLarge
        /// The line is longer than 1024 bytes.
        case lineTooLong
        /// The line does not contain `=`.
        case noEqualsSign
        /// The text before `=` cannot be a label.
        case notALabel(String)
        /// The text after `=` is none of the three kinds of target.
        case notATarget(String)
        /// The text after `usb:` is not a port.
        case notAPort(String)
        /// The target is a virtual reader, but a label must refer to a real reader.
        case virtualReader(String)
        /// An earlier line already contains the label.
        case givenTwice(label: String, firstLine: Int)
    }
}
