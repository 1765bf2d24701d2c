// Names that people give to their readers

@preconcurrency import Glibc

/// The labels of a file: lines `LABEL = usb:1-2.3`, `LABEL = serial:ABC123` or `LABEL = CONNECTION`; `#` begins a comment.
public struct ReaderLabels: Hashable, Sendable {
    /// The labels, in the order of the file.
    public let entries: [Entry]

    /// Labels, none by default.
    public init(entries: [Entry] = []) { self.entries = entries }

    /// A label and what it names.
    public struct Entry: Hashable, Sendable {
        /// The label.
        public let label: String
        /// What it names.
        public let target: Target
        /// The line of the file, from 1.
        public let line: Int

        /// Creates an entry.
        public init(label: String, target: Target, line: Int = 1) {
            self.label = label
            self.target = target
            self.line = line
        }
    }

    /// What a label names.
    public enum Target: Hashable, Sendable {
        /// Whatever reader is on a USB port: `usb:1-2.3`.
        case port(PortPath)
        /// The USB reader with a serial number: `serial:ABC123`.
        case serial(String)
        /// A connection string: `pn532_uart:/dev/ttyUSB0`, or `pcsc:` and the name of a PC/SC reader.
        case connection(String)
    }

    /// The longest label.
    public static let longestLabel = 64
    /// The longest line, without its end.
    static let longestLine = 1024
    /// The largest file.
    static let largestFile = 1 << 16

    /// What a label names; nil when there is no such label.
    public func target(of label: String) -> Target? {
        entries.first { $0.label == label }?.target
    }

    /// The first label that names a USB reader.
    public func label(of reader: USBReader) -> String? {
        entries.first { entry in
            switch entry.target {
            case .port(let port): port == reader.port
            case .serial(let serial): serial == reader.serial
            case .connection(let connection): connection == reader.connection
            }
        }?.label
    }

    /// The first label that names a connection string.
    public func label(ofConnection connection: String) -> String? {
        entries.first { $0.target == .connection(connection) }?.label
    }

    /// Whether a word can be a label: letters, digits, `-`, `_` and `.`, none of the last three first.
    public static func isLabel(_ word: some StringProtocol) -> Bool {
        guard let first = word.first, first.isLetter || first.isNumber, word.count <= longestLabel else { return false }
        return word.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    }
}

extension ReaderLabels {
    /// Where the file is: `$XDG_CONFIG_HOME/nfctool/readers`, or `~/.config/nfctool/readers` (XDG Base Directory: a folder
    /// that is no absolute path does not count); nil without a home.
    public static func file(environment: [String: String]) -> String? {
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/nfctool/readers" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/nfctool/readers"
    }

    /// The labels of the user's file; none when there is no such file.
    ///
    /// - Throws: `ReaderLabelError` with the line that is not understood, or when the file cannot be read.
    public init(root: SystemRoot = SystemRoot(), environment: [String: String]) throws(ReaderLabelError) {
        guard let path = Self.file(environment: environment) else {
            self.init()
            return
        }
        guard let bytes = root.bytes(path, limit: Self.largestFile + 1) else {
            // A file below a file is not there either.
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

    /// The labels of a text.
    ///
    /// - Throws: `ReaderLabelError` with the first line that is not understood.
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
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .notATarget(String(text)) }
        switch parts[0] {
        case "usb":
            guard let port = PortPath(String(parts[1])) else { throw .notAPort(String(parts[1])) }
            return .port(port)
        case "serial":
            return .serial(String(parts[1]))
        // Names of PC/SC readers have spaces.
        case "pcsc": return .connection(String(text))
        default:
            guard !text.contains(where: \.isWhitespace) else { throw .notATarget(String(text)) }
            return .connection(String(text))
        }
    }

    /// A comment behind a target begins with a space: serial numbers may have a `#`.
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

/// A file of labels that cannot be used.
public struct ReaderLabelError: Error, Hashable, Sendable {
    /// The file.
    public let file: String
    /// The line, from 1; nil when it is the whole file.
    public let line: Int?
    /// What is wrong.
    public let problem: Problem

    /// What is wrong with a file or a line.
    public enum Problem: Error, Hashable, Sendable {
        /// The file is there and cannot be read.
        case unreadable
        /// The file is larger than any list of readers.
        case tooLarge
        /// The line is longer than any label and target.
        case lineTooLong
        /// There is no `=`.
        case noEqualsSign
        /// What is in front of the `=` cannot be a label.
        case notALabel(String)
        /// What is behind the `=` is none of the three.
        case notATarget(String)
        /// What is behind `usb:` is no port.
        case notAPort(String)
        /// The label is on an earlier line too.
        case givenTwice(label: String, firstLine: Int)
    }
}
