// FeliCa commands of a Type 3 Tag — JIS X 6319-4 Polling; NFC Forum T3T, CHECK and UPDATE; FeliCa Card User's Manual
import NFCReader

/// Polling, Read Without Encryption (CHECK) and Write Without Encryption (UPDATE) on one activated card.
///
/// A frame is its length, the command code, the IDm and the rest. PN532 and libnfc send it as it is and add the CRC: so
/// `raw`, length byte included, as libnfc's own nfc-read-forum-tag3 and nfcpy do.
struct Type3Commands {
    private enum Code: UInt8 {
        case polling = 0x00
        case read = 0x06
        case write = 0x08
    }

    static let blockSize = 16
    /// The system code of NFC Forum Type 3 Tags.
    static let ndefSystem: [UInt8] = [0x12, 0xFC]
    /// Service codes, low byte first: 000B reads, 0009 reads and writes.
    private static let readService: [UInt8] = [0x0B, 0x00]
    private static let writeService: [UInt8] = [0x09, 0x00]
    /// A frame's length is one byte.
    private static let maximumFrame = 255
    /// Length, code, IDm, number of services, one service, number of blocks.
    private static let requestHead = 14
    /// Length, code, IDm, status flags, number of blocks.
    private static let answerHead = 13

    let channel: any TagChannel
    /// The manufacture ID that the card's NDEF system goes by.
    var idm: [UInt8]

    /// The most blocks one read can carry on this reader.
    var readLimit: Int {
        max(1, (min(Self.maximumFrame, channel.maxResponseLength) - Self.answerHead) / Self.blockSize)
    }

    /// The most blocks one write of these can carry on this reader.
    func writeLimit(_ last: Int) -> Int {
        max(
            1,
            (min(Self.maximumFrame, channel.maxCommandLength) - Self.requestHead)
                / (Self.blockSize + Self.element(last).count))
    }

    /// Polling for a system, with one time slot.
    ///
    /// - Returns: the IDm, `nil` when no answer came.
    func polling(_ system: [UInt8]) throws(TagError) -> [UInt8]? {
        do throws(TagError) {
            let answer = try exchange(.polling, system + [0x00, 0x00])
            guard answer.count >= 16 else { throw violation("the answer to Polling", answer.count, "16 bytes or more") }
            return Array(answer.prefix(8))
        } catch .reader(.noAnswer) {
            return nil
        }
    }

    /// Read Without Encryption.
    func read(_ blocks: [Int]) throws(TagError) -> [[UInt8]] {
        let place = blocks.first
        let request = idm + [0x01] + Self.readService + Self.list(blocks)
        let answer = try checked(try exchange(.read, request), "Read Without Encryption", place)
        guard answer.count == 1 + blocks.count * Self.blockSize, Int(answer[0]) == blocks.count else {
            throw violation(
                "the answer to Read Without Encryption", answer.count, "\(1 + blocks.count * 16) bytes of data")
        }
        return blocks.indices.map { Array(answer[1 + $0 * Self.blockSize..<1 + ($0 + 1) * Self.blockSize]) }
    }

    /// Write Without Encryption.
    func write(_ blocks: [Int], _ data: [UInt8]) throws(TagError) {
        let request = idm + [0x01] + Self.writeService + Self.list(blocks) + data
        let answer = try checked(try exchange(.write, request), "Write Without Encryption", blocks.first)
        guard answer.isEmpty else {
            throw violation("the answer to Write Without Encryption", answer.count, "no data")
        }
    }

    /// The number of blocks, and an element for each.
    private static func list(_ blocks: [Int]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: blocks.count)] + blocks.flatMap { element($0) }
    }

    /// Two bytes for block numbers of one byte, three for others, low byte first; service 0 of the list.
    private static func element(_ block: Int) -> [UInt8] {
        block < 0x100
            ? [0x80, UInt8(truncatingIfNeeded: block)]
            : [0x00, UInt8(truncatingIfNeeded: block), UInt8(truncatingIfNeeded: block >> 8)]
    }

    /// What is behind the IDm and the status flags.
    private func checked(_ answer: [UInt8], _ command: String, _ block: Int?) throws(TagError) -> [UInt8] {
        guard answer.count >= 10 else { throw violation("the answer to \(command)", answer.count, "10 bytes or more") }
        // Another card in the field must not pass for this one.
        guard answer.starts(with: idm) else { throw .reader(.tagLost) }
        let status = FeliCaStatus(flag1: answer[8], flag2: answer[9])
        guard status.isSuccess else { throw .refused(command: command, block: block, status: status) }
        return Array(answer[10...])
    }

    /// Sends a frame and returns what is behind the code of the answer.
    private func exchange(_ code: Code, _ body: [UInt8]) throws(TagError) -> [UInt8] {
        let frame = [UInt8(truncatingIfNeeded: 2 + body.count), code.rawValue] + body
        let answer = try onReader { () throws(ReaderError) in try channel.transceive(frame, framing: .raw) }
        guard let length = answer.first, Int(length) == answer.count, answer.count >= 2 else {
            throw violation("the length byte of an answer", Int(answer.first ?? 0), "\(answer.count) bytes")
        }
        guard answer[1] == code.rawValue + 1 else {
            throw .protocolViolation(
                field: "the code of an answer", found: hex([answer[1]]), expected: hex([code.rawValue + 1]), offset: nil
            )
        }
        return Array(answer[2...])
    }

    private func violation(_ field: String, _ count: Int, _ expected: String) -> TagError {
        .protocolViolation(field: field, found: "\(count) bytes", expected: expected, offset: nil)
    }
}
