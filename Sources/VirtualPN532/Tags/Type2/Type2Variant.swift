// Type 2 Tags of other manufacturers, with the layout of an NXP chip but not all of its commands

/// The differences between a chip and the NXP chip with the same memory layout.
///
/// Copies of NTAG chips are sold without GET_VERSION or with another vendor byte in its answer, without READ_SIG, and
/// without FAST_READ or with a limited one. Some readers have been seen to repeat bytes of a FAST_READ.
public struct Type2Variant: Hashable, Sendable {
    /// The answer to GET_VERSION.
    public enum Version: Hashable, Sendable {
        /// The chip's own answer, or the one in its file.
        case original
        /// A NAK.
        case none
        /// The chip's own answer with this vendor byte.
        ///
        /// NXP's vendor byte is 04.
        case vendor(UInt8)
    }

    /// The ranges that FAST_READ accepts.
    public enum FastRead: Hashable, Sendable {
        /// The ranges of the chip.
        case original
        /// No range.
        ///
        /// The answer is a NAK.
        case none
        /// At most this many blocks.
        ///
        /// Longer ranges get a NAK.
        case atMost(Int)
    }

    /// The answer to GET_VERSION, for chips with this command.
    public var version = Version.original
    /// Whether the chip has READ_SIG.
    ///
    /// Otherwise, the answer is a NAK.
    public var hasSignature = true
    /// The ranges of FAST_READ, for chips with this command.
    public var fastRead = FastRead.original
    /// If set to N, every Nth answer to FAST_READ is too long, because four of its bytes are repeated.
    public var duplicatesEvery: Int?
    /// Whether a chip that is delivered with a Lock Control TLV (NTAG203, NTAG213) contains it.
    public var hasLockControlTLV = true

    /// Creates a variant without differences.
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

    /// Returns the answer to FAST_READ with this number, counted from 1.
    func answers(fastRead bytes: [UInt8], number: Int) -> [UInt8] {
        guard let duplicatesEvery, duplicatesEvery > 0, number.isMultiple(of: duplicatesEvery) else { return bytes }
        let end = min(bytes.count, max(Type2Memory.blockSize, bytes.count / 2))
        return Array(bytes[..<end] + bytes[max(end - Type2Memory.blockSize, 0)...])
    }
}
