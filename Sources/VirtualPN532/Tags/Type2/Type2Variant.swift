// Type 2 Tags from other manufacturers, with the memory layout of an NXP chip but without all of its commands

/// The differences between a chip from another manufacturer and the NXP chip with the same memory layout.
///
/// Some copies of NTAG chips do not support GET_VERSION, READ_SIG or FAST_READ. Others answer GET_VERSION with a
/// different vendor byte, or limit the range of FAST_READ. Some readers have been seen to repeat bytes in an answer to
/// FAST_READ.
public struct Type2Variant: Hashable, Sendable {
    /// How a chip answers GET_VERSION.
    public enum Version: Hashable, Sendable {
        /// The chip answers as the NXP chip does, or with the version in the tag's file.
        case original
        /// The chip answers with a NAK.
        case none
        /// The chip answers as the NXP chip does, but with this vendor byte instead of NXP's 04.
        case vendor(UInt8)
    }

    /// The ranges of blocks that FAST_READ accepts.
    public enum FastRead: Hashable, Sendable {
        /// The chip accepts the same ranges as the NXP chip.
        case original
        /// The chip accepts no range: it answers every FAST_READ with a NAK.
        case none
        /// The chip accepts ranges of at most this many blocks.
        ///
        /// It answers FAST_READ for longer ranges with a NAK.
        case atMost(Int)
    }

    /// How the chip answers GET_VERSION, provided that the NXP chip supports this command.
    public var version = Version.original
    /// Whether the chip supports READ_SIG.
    ///
    /// If not, it answers READ_SIG with a NAK.
    public var hasSignature = true
    /// The ranges of blocks that FAST_READ accepts, provided that the NXP chip supports this command.
    public var fastRead = FastRead.original
    /// How often an answer to FAST_READ is too long: with N, every Nth answer repeats four bytes; with nil, none does.
    public var duplicatesEvery: Int?
    /// Whether the tag contains the Lock Control TLV with which an NTAG203 or NTAG213 is delivered.
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
