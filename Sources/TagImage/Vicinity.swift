// What a dump of an ISO 15693 tag holds besides its blocks — ISO/IEC 15693-3, Get System Information, Block Security Status

extension TagImage {
    /// What an ISO 15693 tag says of itself, and what of it is locked.
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
        /// The numbers of the blocks that are locked.
        public var lockedBlocks: Set<Int> = []

        /// Makes a value that says nothing.
        public init() {}
    }
}

extension TagImage.Kind {
    /// The blocks that commands can name: numbers have two bytes.
    static let mostVicinityBlocks = 1 << 16
    /// The block sizes of the standard, in bytes.
    static let vicinityBlockLengths = 1...32
}
