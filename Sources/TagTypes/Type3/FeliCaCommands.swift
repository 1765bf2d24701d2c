// The commands of FeliCa cards that need no key — JIS X 6319-4; FeliCa Card User's Manual, Commands
import Hexadecimal
public import ReaderInterface

/// FeliCa commands on one activated card, as a program sends them: nothing of the card's status flags is an error here.
///
/// A frame is its length, the command code and the rest. PN532 and libnfc send it as it is and add the CRC: so `raw`, length
/// byte included, as libnfc's own nfc-read-forum-tag3 and nfcpy do.
public struct FeliCaCommands {
    /// The length of a block in bytes.
    public static let blockSize = 16
    /// The most bytes of a command from its code on: its length is one byte, and counts itself.
    public static let maxCommandLength = 254

    private enum Code: UInt8 {
        case polling = 0x00
        case requestService = 0x02
        case requestResponse = 0x04
        case readWithoutEncryption = 0x06
        case writeWithoutEncryption = 0x08
        case requestSystemCode = 0x0C
        case requestServiceV2 = 0x32
        case requestSpecificationVersion = 0x3C
        case resetMode = 0x3E
    }

    let channel: any TagChannel
    /// The manufacture ID in the system that is selected, 8 bytes.
    public var idm: [UInt8]

    /// Makes the commands for a card with this manufacture ID.
    public init(over channel: any TagChannel, idm: [UInt8]) {
        (self.channel, self.idm) = (channel, idm)
    }

    /// Whether two manufacture IDs are those of one card: its systems differ in the upper four bits of the first byte.
    public static func isSameCard(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard let first = a.first, let other = b.first else { return a == b }
        return first & 0x0F == other & 0x0F && a.dropFirst() == b.dropFirst()
    }

    /// What a card answers to Polling.
    public struct PollingAnswer: Hashable, Sendable {
        /// The manufacture ID in the system that was asked for, 8 bytes.
        public let idm: [UInt8]
        /// The manufacture parameter PMm, 8 bytes.
        public let pmm: [UInt8]
        /// What the request code asked for, 2 bytes, or nothing.
        public let requestData: [UInt8]
    }

    /// Polling for a system.
    ///
    /// - Parameters:
    ///   - systemCode: 2 bytes, the high one first.
    ///   - requestCode: what else the card should return: 0 nothing, 1 its system code, 2 its bit rates.
    ///   - timeSlot: the number of time slots less one.
    /// - Returns: `nil` when no answer came.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer of the wrong length;
    ///   ``TagError/reader(_:)`` for what the reader reports except silence.
    public func polling(
        systemCode: [UInt8], requestCode: UInt8 = 0, timeSlot: UInt8 = 0
    ) throws(TagError) -> PollingAnswer? {
        do throws(TagError) {
            let answer = try exchange(.polling, systemCode + [requestCode, timeSlot])
            guard answer.count == 16 || answer.count == 18 else {
                throw violation("the answer to Polling", answer.count, "16 or 18 bytes")
            }
            return PollingAnswer(
                idm: Array(answer[..<8]), pmm: Array(answer[8..<16]), requestData: Array(answer[16...]))
        } catch .reader(.noAnswer) {
            return nil
        }
    }

    /// Request Service: the key versions of nodes, 2 bytes each.
    public func requestService(nodes: [[UInt8]]) throws(TagError) -> [[UInt8]] {
        let answer = try exchangeWithIDm(.requestService, [UInt8(truncatingIfNeeded: nodes.count)] + nodes.joined())
        guard answer.count == 1 + 2 * nodes.count, Int(answer[0]) == nodes.count else {
            throw violation("the answer to Request Service", answer.count, "\(1 + 2 * nodes.count) bytes")
        }
        return Self.pieces(answer[1...], of: 2)
    }

    /// Request Response: the mode, 0 to 3.
    public func requestResponse() throws(TagError) -> UInt8 {
        let answer = try exchangeWithIDm(.requestResponse)
        guard answer.count == 1 else { throw violation("the answer to Request Response", answer.count, "1 byte") }
        return answer[0]
    }

    /// Read Without Encryption.
    ///
    /// - Parameters:
    ///   - services: their codes, 2 bytes each, the low one first.
    ///   - blocks: block list elements of 2 or 3 bytes.
    /// - Returns: the card's status, and 16 bytes for each element; no blocks when the status is not success.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer without the blocks that
    ///   were asked for; ``TagError/reader(_:)``, also for silence.
    public func read(
        services: [[UInt8]], blocks: [[UInt8]]
    ) throws(TagError) -> (status: FeliCaStatus, blocks: [[UInt8]]) {
        let (status, rest) = try exchangeForStatus(.readWithoutEncryption, Self.lists(services, blocks))
        guard status.flag1 == 0 else { return (status, []) }
        guard rest.count == 1 + blocks.count * Self.blockSize, Int(rest[0]) == blocks.count else {
            throw violation(
                "the answer to Read Without Encryption", rest.count,
                "\(1 + blocks.count * Self.blockSize) bytes of data")
        }
        return (status, Self.pieces(rest[1...], of: Self.blockSize))
    }

    /// Write Without Encryption.
    ///
    /// - Parameters:
    ///   - services: their codes, 2 bytes each, the low one first.
    ///   - blocks: block list elements of 2 or 3 bytes.
    ///   - data: 16 bytes for each element.
    /// - Returns: the card's status. One other than success is not thrown.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer that is no status;
    ///   ``TagError/reader(_:)``, also for silence: then the blocks may have been written.
    public func write(services: [[UInt8]], blocks: [[UInt8]], data: [[UInt8]]) throws(TagError) -> FeliCaStatus {
        let (status, rest) = try exchangeForStatus(
            .writeWithoutEncryption, Self.lists(services, blocks) + data.joined())
        guard rest.isEmpty else { throw violation("the answer to Write Without Encryption", rest.count, "no data") }
        return status
    }

    /// Request System Code: the systems of the card, 2 bytes each, the high one first.
    public func requestSystemCode() throws(TagError) -> [[UInt8]] {
        let answer = try exchangeWithIDm(.requestSystemCode)
        guard let count = answer.first, answer.count == 1 + 2 * Int(count) else {
            throw violation("the answer to Request System Code", answer.count, "1 byte and 2 for each system")
        }
        return Self.pieces(answer[1...], of: 2)
    }

    /// What a card answers to Request Service v2.
    public struct ServiceVersions: Hashable, Sendable {
        /// The algorithms: 4F for AES, 41 for AES and DES.
        public let encryptionIdentifier: UInt8
        /// Versions of AES keys, 2 bytes each.
        public let aes: [[UInt8]]
        /// Versions of DES keys, 2 bytes each; none with AES alone.
        public let des: [[UInt8]]
    }

    /// Request Service v2; the versions are `nil` when the status is no success.
    public func requestServiceV2(
        nodes: [[UInt8]]
    ) throws(TagError) -> (status: FeliCaStatus, versions: ServiceVersions?) {
        let body = [UInt8(truncatingIfNeeded: nodes.count)] + nodes.joined()
        let (status, rest) = try exchangeForStatus(.requestServiceV2, body)
        guard status.flag1 == 0 else { return (status, nil) }
        let length = 2 * nodes.count
        guard rest.count == 2 + length || rest.count == 2 + 2 * length, Int(rest[1]) == nodes.count else {
            throw violation("the answer to Request Service v2", rest.count, "\(2 + length) or \(2 + 2 * length) bytes")
        }
        return (
            status,
            ServiceVersions(
                encryptionIdentifier: rest[0], aes: Self.pieces(rest[2..<2 + length], of: 2),
                des: Self.pieces(rest[(2 + length)...], of: 2))
        )
    }

    /// Request Specification Version: the basic version and those of the options, 2 bytes each; none without success.
    public func requestSpecificationVersion()
        throws(TagError) -> (status: FeliCaStatus, basic: [UInt8], options: [UInt8])
    {
        let (status, rest) = try exchangeForStatus(.requestSpecificationVersion, Self.reserved)
        guard status.flag1 == 0 else { return (status, [], []) }
        guard rest.count >= 4, rest.count == 4 + 2 * Int(rest[3]) else {
            throw violation(
                "the answer to Request Specification Version", rest.count, "4 bytes and 2 for each option")
        }
        return (status, Array(rest[1..<3]), Array(rest[4...]))
    }

    /// Reset Mode: back to mode 0.
    public func resetMode() throws(TagError) -> FeliCaStatus {
        try exchangeForStatus(.resetMode, Self.reserved).status
    }

    /// Sends a command from its code on, and returns the answer from its code on.
    public func send(_ command: [UInt8]) throws(TagError) -> [UInt8] {
        guard 1...Self.maxCommandLength ~= command.count else {
            throw .reader(.commandTooLong(length: command.count, limit: Self.maxCommandLength))
        }
        let frame = [UInt8(1 + command.count)] + command
        let answer = try onReader { () throws(ReaderError) in try channel.transceive(frame, framing: .raw) }
        guard let length = answer.first, Int(length) == answer.count, answer.count >= 2 else {
            throw violation("the length byte of an answer", Int(answer.first ?? 0), "\(answer.count) bytes")
        }
        return Array(answer[1...])
    }
}

extension FeliCaCommands {
    /// The reserved bytes of two commands.
    private static let reserved: [UInt8] = [0x00, 0x00]

    /// Both lists, each after its length.
    private static func lists(_ services: [[UInt8]], _ blocks: [[UInt8]]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: services.count)] + services.joined() + [UInt8(truncatingIfNeeded: blocks.count)]
            + blocks.joined()
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>, of length: Int) -> [[UInt8]] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map {
            Array(bytes[$0..<min($0 + length, bytes.endIndex)])
        }
    }

    /// The data after the IDm and the status flags.
    private func exchangeForStatus(
        _ code: Code, _ body: [UInt8]
    ) throws(TagError) -> (status: FeliCaStatus, rest: [UInt8]) {
        let answer = try exchangeWithIDm(code, body)
        guard answer.count >= 2 else { throw violation("an answer with status flags", answer.count, "2 bytes or more") }
        return (FeliCaStatus(flag1: answer[0], flag2: answer[1]), Array(answer[2...]))
    }

    /// The data after the IDm.
    private func exchangeWithIDm(_ code: Code, _ body: [UInt8] = []) throws(TagError) -> [UInt8] {
        let answer = try exchange(code, idm + body)
        // Another card in the field must not pass for this one.
        guard answer.starts(with: idm) else { throw .reader(.tagLost) }
        return Array(answer.dropFirst(idm.count))
    }

    /// Sends a command and returns the data after the code of the answer.
    private func exchange(_ code: Code, _ body: [UInt8]) throws(TagError) -> [UInt8] {
        let answer = try send([code.rawValue] + body)
        guard answer[0] == code.rawValue + 1 else {
            throw .protocolViolation(
                field: "the code of an answer", found: answer[0].hex, expected: (code.rawValue + 1).hex, offset: nil
            )
        }
        return Array(answer[1...])
    }

    func violation(_ field: String, _ count: Int, _ expected: String) -> TagError {
        .protocolViolation(field: field, found: "\(count) bytes", expected: expected, offset: nil)
    }
}
