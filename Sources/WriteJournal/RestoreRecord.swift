// The writes of a restore, and comparing a tag with them later

/// The blocks of a restore, kept on disk with the old memory of the tag.
///
/// The record distinguishes a tag whose restore was interrupted from a tag that has been written since.
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

    /// Bits that a restore sets and that nothing can clear.
    public struct Permanent: Hashable, Sendable, Codable {
        /// The number of the block with the bits.
        public let number: Int
        /// The block before the restore, without keys, or nil if it could not be read.
        public let before: [UInt8]?
        /// The name of the bits, such as `static lock bits`.
        public let name: String

        /// Creates a record of bits.
        public init(number: Int, before: [UInt8]?, name: String) {
            self.number = number
            self.before = before
            self.name = name
        }
    }

    /// The progress of a restore, as shown by the content of the tag.
    public enum Standing: Hashable, Sendable {
        /// The tag holds all of its old content.
        case untouched
        /// The tag holds everything that the restore was to write.
        case done
        /// The tag holds old and new content: the first blocks are written, at most one block is incomplete, and the
        /// rest is old.
        case halfway
        /// The tag holds something else, because it has been written since.
        case changed
    }

    /// The absolute path of the dump to restore, or nil if it came from a pipe.
    public let dump: String?
    /// The options of the restore, such as `--otp`.
    public let options: [String]
    /// The blocks of the tag before the first write, as far as they could be read.
    public let start: [Int: [UInt8]]
    /// The writes in order, as far as they can be compared: keys cannot.
    public let writes: [Write]
    /// The temporary first block of the message, which makes the message appear empty.
    ///
    /// Nil if the restore does not close the message, or if the record is from an earlier version.
    public let closed: Write?
    /// Whether everything that is written can be compared.
    public let isComparable: Bool
    /// Whether the tag was complete before: no earlier restore was interrupted on it.
    public let isStartWhole: Bool
    /// Whether the tag is complete after all writes.
    ///
    /// A partial dump may leave parts of an earlier restore.
    public let isEndWhole: Bool
    /// The blocks that this restore and earlier interrupted ones may have changed.
    public let touched: Set<Int>
    /// The bits that this restore and earlier interrupted ones may have set permanently; nil in records of earlier
    /// versions, which do not store them.
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

    /// Compares a tag's blocks, as far as they can be read, with those of the restore.
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
        // The block whose write was interrupted may hold anything.
        guard rest.dropFirst().allSatisfy(isOld) else { return .changed }
        if rest.isEmpty { return isEndWhole && isComparable ? .done : .halfway }
        return rest.count == writes.count && rest.allSatisfy(isOld) && isStartWhole ? .untouched : .halfway
    }

    /// Whether the message is closed and the other blocks are written in order, or whether the restore was interrupted
    /// while it closed the message.
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

    /// The permanent bits that may be set on a tag with these blocks.
    ///
    /// A block that cannot be read may hold all of them.
    public func permanentlySet(in present: [Int: [UInt8]]) -> [Permanent] {
        (permanent ?? []).filter { $0.before == nil || present[$0.number] != $0.before }
    }
}

extension RestoreRecord {
    /// The maximum length of a record in bytes: enough for the memory of the largest tag, 1 MiB, twice, as JSON
    /// numbers.
    static let longestFile = 16 << 20
}
