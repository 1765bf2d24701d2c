// Type 2 Tags of other manufacturers, with the memory layout of an NXP chip, but without all of its commands

/// The differences between a chip of another manufacturer and the NXP chip with the same memory layout.
///
/// Some copies of NTAG chips do not support GET_VERSION, READ_SIG or FAST_READ. Others answer GET_VERSION with a
/// different vendor byte or limit the range of FAST_READ. Some readers have been seen to repeat bytes of an answer to
/// FAST_READ.
public struct Type2Variant: Hashable, Sendable {
    /// How a chip answers GET_VERSION.
    public enum Version: Hashable, Sendable {
        /// The answer of the NXP chip, or the one in the tag's file.
        case original
        /// A NAK.
        case none
        /// The answer of the NXP chip, but with this vendor byte instead of NXP's 04.
        case vendor(UInt8)
    }

    /// The ranges of blocks that FAST_READ accepts.
    public enum FastRead: Hashable, Sendable {
        /// The same ranges as the NXP chip.
        case original
        /// No range: every FAST_READ is answered with a NAK.
        case none
        /// Ranges of at most this many blocks.
        ///
        /// Longer ranges are answered with a NAK.
        case atMost(Int)
    }

    /// How the chip answers GET_VERSION, if the NXP chip supports this command.
    public var version = Version.original
    /// Whether the chip supports READ_SIG.
    ///
    /// If false, READ_SIG is answered with a NAK.
    public var hasSignature = true
    /// The ranges of blocks that FAST_READ accepts, if the NXP chip supports this command.
    public var fastRead = FastRead.original
    /// If set to N, four bytes are repeated in every Nth answer to FAST_READ, so that the answer is too long.
    ///
    /// Nil means never.
    public var duplicatesEvery: Int?
    /// Whether a chip of a type that is delivered with a Lock Control TLV (NTAG203, NTAG213) contains this TLV.
    public var hasLockControlTLV = true

    /// Creates a variant that does not differ from the NXP chip.
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

    /// Returns the answer to a FAST_READ, with repeated bytes if ``duplicatesEvery`` requires this.
    ///
    /// `bytes` is the correct answer, and `number` is the number of the command, counted from 1.
    func answers(fastRead bytes: [UInt8], number: Int) -> [UInt8] {
        guard let duplicatesEvery, duplicatesEvery > 0, number.isMultiple(of: duplicatesEvery) else { return bytes }
        let end = min(bytes.count, max(Type2Memory.blockSize, bytes.count / 2))
        return Array(bytes[..<end] + bytes[max(end - Type2Memory.blockSize, 0)...])
    }
}
