// Plans for sending a tag's own command through a reader, depending on the reader's family

import ReaderInterface

/// The messages to a reader for one command to a tag, and how the response is converted to the tag's answer.
enum FramePlan: Hashable {
    /// One or more APDUs.
    ///
    /// All except the last one must succeed.
    case apdus([[UInt8]], Answer)
    /// A frame in a transparent session.
    case frame(TransparentSession.Standard, isSlow: Bool)
    /// Blocks of an NFC-V tag, whose addresses must be verified first.
    case blocks(BlockAccess)

    /// How the response to the last APDU is converted to the tag's answer.
    enum Answer: Hashable {
        /// The response with its status word.
        case apdu
        /// The first `count` bytes of the data.
        case data(count: Int)
        case acknowledgement
        /// `D5 43` or `D5 41`, a status, and the answer.
        case direct
        /// The data, without the ISO/IEC 15693 response flags.
        case nfcV
    }

    /// A read or write of whole blocks of an NFC-V tag.
    enum BlockAccess: Hashable {
        case read(first: UInt16, count: Int)
        case write(UInt16, [UInt8])

        /// The flags and code of the tag's own command.
        var command: [UInt8] {
            switch self {
            case .read(let first, let count): [0x22, (count > 1 ? 0x23 : 0x20) + (first > 0xFF ? 0x10 : 0)]
            case .write(let block, _): [0x22, 0x21 + (block > 0xFF ? 0x10 : 0)]
            }
        }
    }

    /// Whether the plan writes to the tag with the reader's own UPDATE BINARY.
    var updatesBinary: Bool {
        switch self {
        case .apdus(let apdus, _): apdus.last?.starts(with: [0xFF, 0xD6]) ?? false
        case .blocks(.write): true
        case .blocks(.read), .frame: false
        }
    }
}
