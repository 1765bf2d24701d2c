// The data in a dump of an ISO 15693 tag besides its blocks — ISO/IEC 15693-3, Get System Information, Block Security
// Status

extension TagImage {
    /// The system information of an ISO 15693 tag, and its locks.
    public struct Vicinity: Hashable, Sendable {
        /// The data storage format identifier.
        public var dsfid: UInt8?
        /// The application family identifier.
        public var afi: UInt8?
        /// The IC reference.
        public var icReference: UInt8?
        /// Whether the DSFID is known to be locked.
        public var isDSFIDLocked = false
        /// Whether the AFI is known to be locked.
        public var isAFILocked = false
        /// The numbers of the locked blocks.
        public var lockedBlocks: Set<Int> = []

        /// Creates a value without any information.
        public init() {}
    }
}

extension TagImage.Kind {
    /// The number of blocks that commands can address with block numbers of two bytes.
    static let mostVicinityBlocks = 1 << 16
    /// The block sizes that the standard allows, in bytes.
    static let vicinityBlockLengths = 1...32
}
