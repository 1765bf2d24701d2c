// How a tag's own command reaches it through a reader of a family

import ReaderInterface

/// What is sent to a reader for one command to a tag, and how its response becomes the tag's answer.
enum FramePlan: Hashable {
    /// APDUs in a row; all but the last must succeed.
    case apdus([[UInt8]], Answer)
    /// A frame in a transparent session.
    case frame(TransparentSession.Standard, isSlow: Bool)
    /// Blocks of an NFC-V tag, once their addresses are known to be right.
    case blocks(BlockAccess)

    /// How the response to the last APDU becomes the tag's answer.
    enum Answer: Hashable {
        /// The response with its status word.
        case apdu
        /// The data, of that length.
        case data(count: Int)
        /// Nothing: the tag acknowledged.
        case acknowledgement
        /// `D5 43` or `D5 41`, a status, the answer.
        case direct
        /// Data without the response flags of ISO/IEC 15693.
        case nfcV
    }

    /// A read or write of whole blocks of an NFC-V tag.
    enum BlockAccess: Hashable {
        case read(first: UInt16, count: Int)
        case write(UInt16, [UInt8])

        /// Flags and code of the tag's own command.
        var command: [UInt8] {
            switch self {
            case .read(let first, let count): [0x22, (count > 1 ? 0x23 : 0x20) + (first > 0xFF ? 0x10 : 0)]
            case .write(let block, _): [0x22, 0x21 + (block > 0xFF ? 0x10 : 0)]
            }
        }
    }

    /// Whether it changes the tag by the reader's own UPDATE BINARY.
    var updatesBinary: Bool {
        switch self {
        case .apdus(let apdus, _): apdus.last?.starts(with: [0xFF, 0xD6]) ?? false
        case .blocks(.write): true
        case .blocks(.read), .frame: false
        }
    }
}
