// What a restore was about to write, and how a tag compares with that later

/// The blocks of a restore, kept on disk with the tag's old memory.
///
/// It tells a tag whose restore was interrupted from one that was written since.
public struct RestoreRecord: Hashable, Sendable, Codable {
    /// A block and what it is to hold.
    public struct Write: Hashable, Sendable, Codable {
        /// The block's number.
        public let number: Int
        /// Its bytes.
        public let bytes: [UInt8]

        /// Makes a write.
        public init(number: Int, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }
    }

    /// Bits that a restore sets and that nothing clears.
    public struct Permanent: Hashable, Sendable, Codable {
        /// The number of the block that holds them.
        public let number: Int
        /// The block before, without keys; nil where it could not be read.
        public let before: [UInt8]?
        /// What they are, such as `static lock bits`.
        public let name: String

        /// Describes bits.
        public init(number: Int, before: [UInt8]?, name: String) {
            self.number = number
            self.before = before
            self.name = name
        }
    }

    /// What a tag holds of a restore.
    public enum Standing: Hashable, Sendable {
        /// All that it held before.
        case untouched
        /// All that the restore was to write.
        case done
        /// A part of it: what was written first is there, at most one block is torn, and the rest is as before.
        case halfway
        /// Something else: the tag has been written since.
        case changed
    }

    /// The dump to restore, by its absolute path; nil where it came from a pipe.
    public let dump: String?
    /// The options of the restore, such as `--otp`.
    public let options: [String]
    /// The blocks of the tag before the first write, as far as they were read.
    public let start: [Int: [UInt8]]
    /// What is written, in this order, where that can be compared: keys cannot.
    public let writes: [Write]
    /// What the first block of the message holds meanwhile, so that the tag shows an empty one; `nil` where it stays open, and
    /// in the records of older versions.
    public let closed: Write?
    /// Whether all that is written can be compared.
    public let isComparable: Bool
    /// Whether the tag was whole before: no earlier restore was interrupted on it.
    public let isStartWhole: Bool
    /// Whether the tag is whole when all is written: a partial dump may leave a part of an earlier restore.
    public let isEndWhole: Bool
    /// The blocks that this restore and earlier ones that were interrupted may have changed.
    public let touched: Set<Int>
    /// The bits that this restore and earlier ones that were interrupted may have set permanently; nil in the records of
    /// older versions, which do not tell.
    public let permanent: [Permanent]?

    /// Makes a record.
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

    /// Whether the message is closed, or was about to be when the write of its block was interrupted, and what was written
    /// first of the other blocks is there.
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

    /// The permanent bits of which a tag with these blocks holds some: a block that cannot be read may hold all.
    public func permanentlySet(in present: [Int: [UInt8]]) -> [Permanent] {
        (permanent ?? []).filter { $0.before == nil || present[$0.number] != $0.before }
    }
}

extension RestoreRecord {
    /// The longest file that is taken for a record: the memory of the largest tag, 1 MiB, as JSON numbers, and twice.
    static let longestFile = 16 << 20
}
