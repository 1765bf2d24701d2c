// The bytes of a plan, which are read piece by piece

/// The bytes of a plan that have been read but not used yet.
///
/// The buffer is at most about twice as long as the longest record, or as long as one piece if that is longer.
struct RecordBuffer {
    /// The maximum length of a record in bytes.
    ///
    /// A row for a tag needs far less.
    static let maximumRecordLength = 1 << 20

    private(set) var text: PlanText
    private(set) var bytes: [UInt8] = []
    /// The offset of the first record that has not been used yet.
    var start = 0
    private(set) var isAtEnd = false
    /// The number of the line that begins at ``start``.
    var line = 1

    init(_ text: PlanText) { self.text = text }

    /// Reads more bytes, because the record at ``start`` is incomplete.
    ///
    /// The length of the buffer is doubled, so that a long record is not scanned too often.
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

    /// Reads until this number of bytes is available, or until the end.
    mutating func fill(to count: Int) throws(PlanError) {
        while bytes.count - start < count, !isAtEnd { try readOn() }
    }
}

/// A row of a plan, or the reason why it is invalid.
public enum PlanEntry: Hashable, Sendable {
    /// A row.
    case row(PlanRow)
    /// An invalid row. The rows after it can still be read.
    case bad(PlanError)
}
