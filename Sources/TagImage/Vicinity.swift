// The data in a dump of an ISO 15693 tag in addition to its blocks — ISO/IEC 15693-3, Get System Information, Block
// Security Status

extension TagImage {
    /// The system information and the locks of an ISO 15693 tag.
    public struct Vicinity: Hashable, Sendable {
        /// The data storage format identifier, or `nil` if it is not known.
        public var dsfid: UInt8?
        /// The application family identifier, or `nil` if it is not known.
        public var afi: UInt8?
        /// The IC reference, or `nil` if it is not known.
        public var icReference: UInt8?
        /// Whether the DSFID is known to be locked.
        public var isDSFIDLocked = false
        /// Whether the AFI is known to be locked.
        public var isAFILocked = false
        /// The numbers of the blocks that are known to be locked.
        public var lockedBlocks: Set<Int> = []

        /// Creates a value without any information.
        public init() {}
    }
}

extension TagImage.Kind {
    /// The maximum number of blocks, because block numbers in commands have at most two bytes.
    static let mostVicinityBlocks = 1 << 16
    /// The block sizes that the standard allows, in bytes.
    static let vicinityBlockLengths = 1...32
}
