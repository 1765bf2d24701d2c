// The bytes of a plan, a piece at a time

/// What is read of a plan and not used yet: never more than the longest record and a piece.
struct RecordBuffer {
    /// The most bytes of a record: what a row holds that goes on a tag is far below.
    static let maximumRecordLength = 1 << 20

    private(set) var text: PlanText
    private(set) var bytes: [UInt8] = []
    /// Where the record begins that is not used yet.
    var start = 0
    private(set) var isAtEnd = false
    /// The number of the line that begins at ``start``.
    var line = 1

    init(_ text: PlanText) { self.text = text }

    /// Reads on after a record turned out not to be whole; doubles what there is, so that a long one is not looked at too often.
    mutating func readOn() throws(PlanError) {
        guard bytes.count - start <= Self.maximumRecordLength else {
            throw PlanError(line: line, .tooLong(limit: Self.maximumRecordLength))
        }
        bytes.removeFirst(start)
        start = 0
        let wanted = bytes.count * 2
        repeat {
            let piece = try text.next()
            isAtEnd = piece.isEmpty
            bytes += piece
        } while !isAtEnd && bytes.count < wanted
    }

    /// Reads until this many bytes are available, or to the end.
    mutating func fill(to count: Int) throws(PlanError) {
        while bytes.count - start < count, !isAtEnd { try readOn() }
    }
}

/// A row of a plan, or why one is none.
public enum PlanEntry: Hashable, Sendable {
    /// A row.
    case row(PlanRow)
    /// Not a row; the rows after it can be read.
    case bad(PlanError)
}
