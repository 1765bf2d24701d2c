// Type 2 Tags of other makers, which have the layout of an NXP chip but not all of its commands

/// How a chip differs from the NXP chip whose memory layout it has.
///
/// Copies of NTAG chips are sold without GET_VERSION or with another vendor's byte in it, without READ_SIG, and without
/// FAST_READ or with a short one; readers have been seen that repeat bytes of a FAST_READ.
public struct Type2Variant: Hashable, Sendable {
    /// What GET_VERSION is answered with.
    public enum Version: Hashable, Sendable {
        /// The chip's own answer, or what its file says.
        case original
        /// A NAK.
        case none
        /// The chip's own answer with this vendor byte; NXP's is 04.
        case vendor(UInt8)
    }

    /// Which ranges FAST_READ takes.
    public enum FastRead: Hashable, Sendable {
        /// Those of the chip.
        case original
        /// None: a NAK.
        case none
        /// At most so many blocks; longer ranges get a NAK.
        case atMost(Int)
    }

    /// The answer to GET_VERSION, of chips that know the command.
    public var version = Version.original
    /// Whether READ_SIG is known; a NAK otherwise.
    public var hasSignature = true
    /// FAST_READ, of chips that know the command.
    public var fastRead = FastRead.original
    /// Every so many answers to FAST_READ are too long: four of their bytes come twice.
    public var duplicatesEvery: Int?
    /// Whether a chip that is delivered with a Lock Control TLV (NTAG203, NTAG213) has it.
    public var hasLockControlTLV = true

    /// No difference.
    public init() {}

    func answers(version bytes: [UInt8]) -> [UInt8] {
        guard case .vendor(let vendor) = version, bytes.count > 1 else { return bytes }
        return [bytes[0], vendor] + bytes[2...]
    }

    func takesFastRead(of blocks: Int) -> Bool {
        switch fastRead {
        case .original: true
        case .none: false
        case .atMost(let limit): blocks <= limit
        }
    }

    /// The answer to FAST_READ with this number, counted from 1.
    func answers(fastRead bytes: [UInt8], number: Int) -> [UInt8] {
        guard let duplicatesEvery, duplicatesEvery > 0, number.isMultiple(of: duplicatesEvery) else { return bytes }
        let end = min(bytes.count, max(Type2Memory.blockSize, bytes.count / 2))
        return Array(bytes[..<end] + bytes[max(end - Type2Memory.blockSize, 0)...])
    }
}
