// The minimum number of requests to a reader: the largest frames that reader and tag allow, and no request twice

import VirtualPCSC
import VirtualPN532

enum BenchmarkTag: CustomStringConvertible {
    case proximity(VirtualTagKind)
    case vicinity(ISO15693Chip)

    static let all: [(BenchmarkTag, [Int])] = [
        (.proximity(.ntag215), [100]), (.proximity(.ntag216), [800]), (.vicinity(.icodeSLIX2), [100]),
        (.vicinity(.st25DV64K), [100, 800]), (.proximity(.type4), [100, 800]), (.proximity(.type3), [100, 800]),
        (.proximity(.classic1kNDEF), [100, 700]),
    ]

    var description: String {
        switch self {
        case .proximity(let kind): kind.rawValue
        case .vicinity(let chip): chip.id
        }
    }

    func make() -> any VirtualTag {
        switch self {
        case .proximity(let kind): kind.make()
        case .vicinity(let chip): VirtualISO15693Tag(chip: chip, isFormatted: true)
        }
    }
}

extension APDUJob {
    /// The minimum number of APDUs.
    ///
    /// It counts the UID, the session if there is one, finding the message, and its bytes. A write includes one reading
    /// back.
    var minimum: (read: Int, write: Int) {
        let dialects = reader.model.dialects
        // A session takes three APDUs: start, standard, end.
        let session = dialects.contains(.transparentSession) ? 3 : 0
        let head = length < 0xFF ? 2 : 4
        switch tag {
        case .proximity(.type4):
            // Application, container, its content, file. A write sends the empty length and the final length separately
            // from the message.
            let find = 1 + 4
            return (find + pieces(length + 2, 255), find + 1 + pieces(length, 255) + 1 + pieces(length + 2, 255))
        case .proximity(.type3):
            // Polling, the attribute block, 12 blocks per read. A write sends 8 blocks at a time, with the attribute
            // block before and after.
            let find = 1 + session + 2
            return (find + pieces(length, 192), find + 2 + pieces(length, 128) + pieces(length + 16, 192))
        case .proximity(.classic1kNDEF):
            // One key for the directory and one for all other sectors, and authentication and blocks for each sector.
            let (sectors, blocks) = (pieces(length + head, 48), pieces(length + head, 16))
            let find = 1 + 2 + 2 + 1
            return (find + sectors + blocks, find + 2 * sectors + 2 * blocks + 1)
        case .proximity:
            // FAST_READ of as many pages as fit into an answer.
            let frame = session > 0 ? 240 : dialects.contains(.directTransmit) ? 248 : 16
            let read = pieces(length + head + 16, frame)
            return (1 + session + read, 1 + session + 1 + pieces(length + head, 4) + 1 + read)
        case .vicinity(let chip):
            // One program was seen to request READ MULTIPLE BLOCKS of 128 bytes from an ACR1552U. Others request a
            // short APDU.
            let frame = session > 0 ? 128 : 252
            let start = chip.blockCount > 256 ? 8 : 4
            let read = pieces(start + head + length, frame)
            return (1 + session + read, 1 + session + 1 + pieces(length + head, chip.blockSize) + 1 + read)
        }
    }

    private func pieces(_ length: Int, _ size: Int) -> Int { (length + size - 1) / size }
}
