// A plan in a file. Its rows and the SHA-256 of the file are read in one pass — Docs/CommandLine.md, provision

public import DurableFiles
import Foundation

/// A plan's file, read row by row.
public final class PlanFile: PlanReading {
    /// The format of the rows.
    public enum Format: Hashable, Sendable {
        /// Values separated by commas (RFC 4180), semicolons or tabs.
        case csv
        /// Values separated by tabs, even if the header contains other separators.
        case tsv
        /// One JSON object per line.
        case jsonLines

        /// Determines the format from the extension of a file's name.
        public init(file: String) throws(PlanError) {
            switch (file as NSString).pathExtension.lowercased() {
            case "csv", "txt": self = .csv
            case "tsv", "tab": self = .tsv
            case "xlsx", "xlsm", "xls", "ods", "numbers": throw PlanError(.workbook)
            case "jsonl", "ndjson", "json": self = .jsonLines
            default: throw PlanError(.unknownFormat(file: file))
            }
        }
    }

    // Exactly one of the readers `csv` and `jsonLines` is set.
    private var csv: CSVReader?
    private var jsonLines: JSONLinesReader?
    private let bytes: PlanBytes
    private var isBeforeFirstRow = true

    /// Opens a plan.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - encoding: the encoding of the text, or nil to detect it from the bytes.
    /// - Throws: ``PlanError`` if the file cannot be used. `-` is reported as ``PlanError/Reason/notAFile(_:)``,
    ///   because a continued run reads the plan again.
    public convenience init(path: String, encoding: PlanEncoding? = nil) throws(PlanError) {
        guard path != "-" else { throw PlanError(.notAFile("Standard input")) }
        try self.init(path: path, format: Format(file: path), encoding: encoding)
    }

    /// Opens a plan in this format, regardless of the file's name.
    public init(path: String, format: Format, encoding: PlanEncoding? = nil) throws(PlanError) {
        let bytes = try PlanBytes(path: path)
        let text = PlanText(source: { () throws(PlanError) in try bytes.next() }, named: encoding)
        self.bytes = bytes
        switch format {
        case .csv: csv = CSVReader(text)
        case .tsv: csv = CSVReader(text, separator: UInt8(ascii: "\t"))
        case .jsonLines: jsonLines = JSONLinesReader(text)
        }
    }

    /// Notes for the user about anything unexpected in the way the file was read.
    ///
    /// They are complete after the last row.
    public var notes: [PlanNote] {
        var notes: [PlanNote] = []
        if let text = csv?.text ?? jsonLines?.text {
            if let encoding = text.encoding, encoding != .utf8 { notes.append(.encoding(encoding)) }
            if text.isAlsoUTF8 { notes.append(.alsoUTF8) }
        }
        if let columns = csv?.columns, case .value(let value) = HeaderDoubt(columns) {
            notes.append(.headerOfValues(value))
        }
        if let count = csv?.ignoredColumns, count > 0 { notes.append(.ignoredColumns(count)) }
        if let count = csv?.emptyRowsAtEnd, count > 0 { notes.append(.emptyRowsAtEnd(count)) }
        return notes
    }

    /// Returns the columns that all rows have, or nil if each row has its own.
    public func columns() throws(PlanError) -> [String]? {
        try csv?.readHeader()
        return csv?.columns
    }

    /// Returns the next row, or the reason why it is invalid.
    ///
    /// Returns nil after the last row.
    ///
    /// - Throws: an error after which reading cannot continue.
    public func next() throws(PlanError) -> PlanEntry? {
        let entry = csv == nil ? try jsonLines?.next() : try csv?.next()
        guard entry != nil || !isBeforeFirstRow else { throw PlanError(try columns() == nil ? .empty : .noRows) }
        isBeforeFirstRow = false
        return entry
    }

    /// Reads the rest of the file, and returns the SHA-256 of all its bytes.
    public func digest() throws(PlanError) -> SHA256Digest { try bytes.digest() }
}

/// The bytes of a file, which are hashed while they are read.
private final class PlanBytes {
    private static let pieceLength = 1 << 18

    private let path: String
    private let descriptor: Int32
    private var hash = SHA256Stream()

    init(path: String) throws(PlanError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(path) }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw PlanError(.unreadable(file: path, reason: String(cString: strerror(EISDIR))))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw PlanError(.notAFile(path)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the next piece of the file, which is empty at the end.
    func next() throws(PlanError) -> [UInt8] {
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, filled in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count >= 0 {
                hash.update(piece)
                return piece
            }
            guard errno == EINTR else { throw Self.unreadable(path) }
        }
    }

    func digest() throws(PlanError) -> SHA256Digest {
        while try !next().isEmpty {}
        return hash.digest()
    }

    private static func unreadable(_ path: String) -> PlanError {
        PlanError(.unreadable(file: path, reason: String(cString: strerror(errno))))
    }
}
