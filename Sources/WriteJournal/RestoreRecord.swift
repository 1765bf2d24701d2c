// The writes of a restore, with which a tag can be compared later

/// The writes of a restore, which are kept on disk together with the tag's old content.
///
/// The record serves to distinguish a tag whose restore was interrupted from a tag to which something else was written
/// later.
public struct RestoreRecord: Hashable, Sendable, Codable {
    /// A block and its new content.
    public struct Write: Hashable, Sendable, Codable {
        /// The block's number.
        public let number: Int
        /// The bytes of the block.
        public let bytes: [UInt8]

        /// Creates a write.
        public init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }
    }

    /// Bits that a restore sets and that can never be cleared.
    public struct Permanent: Hashable, Sendable, Codable {
        /// The number of the block that contains the bits.
        public let number: Int
        /// The content of the block before the restore, without keys, or nil if it could not be read.
        public let before: [UInt8]?
        /// The name of the bits, such as `static lock bits`.
        public let name: String

        /// Creates a record of permanent bits.
        public init(number: Int, before: [UInt8]?, name: String) {
            self.number = number
            self.before = before
            self.name = name
        }
    }

    /// The progress of a restore, derived from the content of the tag.
    public enum Standing: Hashable, Sendable {
        /// The tag holds only its old content.
        case untouched
        /// The tag holds all content that the restore writes.
        case done
        /// The restore is not finished, or the content of the tag does not show that it is.
        ///
        /// The first blocks are written, at most one block is incomplete, and the rest is old.
        case halfway
        /// The tag holds different content, because something else was written to it later.
        case changed
    }

    /// The absolute path of the dump to restore, or nil if it came from a pipe.
    public let dump: String?
    /// The options of the restore, such as `--otp`.
    public let options: [String]
    /// The content of the tag's blocks before the first write, as far as they could be read.
    public let start: [Int: [UInt8]]
    /// The writes in order, except those that cannot be compared, such as keys.
    public let writes: [Write]
    /// The first block of the message in its temporary state, in which the message appears empty.
    ///
    /// Nil if the restore does not close the message, or if the record is from an earlier version.
    public let closed: Write?
    /// Whether all writes can be compared with the content of the tag.
    public let isComparable: Bool
    /// Whether the tag's content was complete before the restore, because no earlier restore of it was interrupted.
    public let isStartWhole: Bool
    /// Whether the tag's content is complete after all writes.
    ///
    /// A restore of a partial dump may leave parts of an interrupted restore on the tag.
    public let isEndWhole: Bool
    /// The numbers of the blocks that this restore and earlier interrupted restores may have changed.
    public let touched: Set<Int>
    /// The bits that this restore and earlier interrupted restores may have set permanently.
    ///
    /// Nil in records of earlier versions, which do not store them.
    public let permanent: [Permanent]?

    /// Creates a record.
    public init(
        dump: String?, options: [String], start: [Int: [UInt8]], writes: [Write], closed: Write? = nil,
        isComparable: Bool, isStartWhole: Bool, isEndWhole: Bool, touched: Set<Int>, permanent: [Permanent] = []
    ) {
        self.dump = dump
        self.options = options
        self.start = start
        self.writes = writes
        self.closed = closed
        self.isComparable = isComparable
        self.isStartWhole = isStartWhole
        self.isEndWhole = isEndWhole
        self.touched = touched
        self.permanent = permanent
    }

    /// Compares the blocks of a tag with those of the restore, as far as the tag's blocks could be read.
    public func standing(of present: [Int: [UInt8]]) -> Standing {
        let written = Set(writes.map(\.number))
        let isOtherwise = start.contains { number, bytes in
            !written.contains(number) && present[number].map { $0 != bytes } ?? false
        }
        if isOtherwise { return .changed }
        guard !writes.isEmpty, writes.allSatisfy({ present[$0.number] != nil }) else { return .halfway }
        if isClosed(present) { return .halfway }
        let rest = writes.drop { present[$0.number] == $0.bytes }
        let isOld = { (write: Write) in start[write.number].map { $0 == present[write.number] } ?? true }
        // The block whose write was interrupted may contain anything.
        guard rest.dropFirst().allSatisfy(isOld) else { return .changed }
        if rest.isEmpty { return isEndWhole && isComparable ? .done : .halfway }
        return rest.count == writes.count && rest.allSatisfy(isOld) && isStartWhole ? .untouched : .halfway
    }

    /// Whether the restore has closed the message and written the other blocks in order so far.
    ///
    /// This is also true if the restore was interrupted while it closed the message.
    private func isClosed(_ present: [Int: [UInt8]]) -> Bool {
        guard let closed, let block = present[closed.number] else { return false }
        let others = writes.filter { $0.number != closed.number }
        let isOld = { (write: Write) in start[write.number].map { $0 == present[write.number] } ?? true }
        if block == closed.bytes {
            return others.drop { present[$0.number] == $0.bytes }.dropFirst().allSatisfy(isOld)
        }
        return block != start[closed.number] && others.allSatisfy(isOld)
            && writes.contains { $0.number == closed.number && $0.bytes != block }
    }

    /// Returns the permanent bits that may be set on a tag whose blocks have this content.
    ///
    /// If a block could not be read, all of its bits may be set.
    public func permanentlySet(in present: [Int: [UInt8]]) -> [Permanent] {
        (permanent ?? []).filter { $0.before == nil || present[$0.number] != $0.before }
    }
}

extension RestoreRecord {
    /// The maximum length of a record in bytes.
    ///
    /// It is enough for the memory of the largest tag, 1 MiB, stored twice as JSON numbers.
    static let longestFile = 16 << 20
}
