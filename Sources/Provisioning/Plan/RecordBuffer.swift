// The bytes of a plan, a piece at a time

/// What is read of a plan and not used yet: never more than the longest record and a piece.
struct RecordBuffer {
    /// The most bytes of a record: what a row holds that goes on a tag is far below.
    static let maximumRecordLength = 1 << 20

    /// Gives the next piece; an empty one is the end.
    private let source: () throws(PlanError) -> [UInt8]
    private(set) var bytes: [UInt8] = []
    /// Where the record begins that is not used yet.
    var start = 0
    private(set) var isAtEnd = false
    /// The number of the line that begins at ``start``.
    var line = 1

    init(source: @escaping () throws(PlanError) -> [UInt8]) { self.source = source }

    /// Reads on after a record turned out not to be whole; doubles what there is, so that a long one is not looked at too often.
    mutating func readOn() throws(PlanError) {
        guard bytes.count - start <= Self.maximumRecordLength else {
            throw PlanError(line: line, .tooLong(limit: Self.maximumRecordLength))
        }
        bytes.removeFirst(start)
        start = 0
        let wanted = bytes.count * 2
        repeat {
            let piece = try source()
            isAtEnd = piece.isEmpty
            bytes += piece
        } while !isAtEnd && bytes.count < wanted
    }

    /// Drops a byte order mark in front of the text.
    mutating func dropByteOrderMark() throws(PlanError) {
        while bytes.count < 3, !isAtEnd { try readOn() }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) { throw PlanError(line: 1, .notUTF8) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }
}

/// A row of a plan, or why one is none.
public enum PlanEntry: Hashable, Sendable {
    /// A row.
    case row(PlanRow)
    /// No row; those behind it can be read.
    case bad(PlanError)
}
