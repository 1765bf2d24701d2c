// The commands of FeliCa cards that require no key — JIS X 6319-4; FeliCa Card User's Manual, Commands
import Hexadecimal
public import ReaderInterface

/// The FeliCa commands of one activated card, with the parameters that the caller passes.
///
/// The status flags of the card are never treated as errors.
///
/// A frame consists of its length, the command code and the parameters. PN532 and libnfc send the frame unchanged and
/// add the CRC. It is therefore sent with `raw` framing, including the length byte, as in libnfc's nfc-read-forum-tag3
/// and in nfcpy.
public struct FeliCaCommands {
    /// The length of a block in bytes.
    public static let blockSize = 16
    /// The maximum number of bytes in a command, counted from the command code.
    ///
    /// The length field has one byte, which is included in the length.
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
    /// The manufacture ID (IDm) in the selected system, 8 bytes.
    public var idm: [UInt8]

    /// Creates the commands for a card with this manufacture ID.
    public init(over channel: any TagChannel, idm: [UInt8]) {
        (self.channel, self.idm) = (channel, idm)
    }

    /// Whether two manufacture IDs belong to the same card.
    ///
    /// The systems of a card differ only in the upper four bits of the first byte.
    public static func isSameCard(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard let first = a.first, let other = b.first else { return a == b }
        return first & 0x0F == other & 0x0F && a.dropFirst() == b.dropFirst()
    }

    /// The answer of a card to Polling.
    public struct PollingAnswer: Hashable, Sendable {
        /// The manufacture ID (IDm) in the polled system, 8 bytes.
        public let idm: [UInt8]
        /// The manufacture parameter PMm, 8 bytes.
        public let pmm: [UInt8]
        /// The 2 bytes of data that were requested with the request code, or empty if there are none.
        public let requestData: [UInt8]
    }

    /// Polls for a system.
    ///
    /// - Parameters:
    ///   - systemCode: the system code, 2 bytes, high byte first.
    ///   - requestCode: the additional data that the card should return: 0 for nothing, 1 for its system code, 2 for
    ///     its bit rates.
    ///   - timeSlot: the number of time slots, minus one.
    /// - Returns: the answer, or `nil` if there is none.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the answer has the wrong length;
    ///   ``TagError/reader(_:)`` for all reader errors except a missing answer.
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

    /// Sends Request Service and returns the key versions of nodes, 2 bytes each.
    public func requestService(nodes: [[UInt8]]) throws(TagError) -> [[UInt8]] {
        let answer = try exchangeWithIDm(.requestService, [UInt8(truncatingIfNeeded: nodes.count)] + nodes.joined())
        guard answer.count == 1 + 2 * nodes.count, Int(answer[0]) == nodes.count else {
            throw violation("the answer to Request Service", answer.count, "\(1 + 2 * nodes.count) bytes")
        }
        return Self.pieces(answer[1...], of: 2)
    }

    /// Sends Request Response and returns the mode, 0 to 3.
    public func requestResponse() throws(TagError) -> UInt8 {
        let answer = try exchangeWithIDm(.requestResponse)
        guard answer.count == 1 else { throw violation("the answer to Request Response", answer.count, "1 byte") }
        return answer[0]
    }

    /// Sends Read Without Encryption.
    ///
    /// - Parameters:
    ///   - services: the service codes, 2 bytes each, low byte first.
    ///   - blocks: the block list elements, 2 or 3 bytes each.
    /// - Returns: the status, and the 16 bytes of each block, or no blocks if the status is not a success.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the answer does not contain the
    ///   requested blocks; ``TagError/reader(_:)``, including for a missing answer.
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

    /// Sends Write Without Encryption.
    ///
    /// - Parameters:
    ///   - services: the service codes, 2 bytes each, low byte first.
    ///   - blocks: the block list elements, 2 or 3 bytes each.
    ///   - data: the data, 16 bytes for each element.
    /// - Returns: the status of the card. The function does not throw for a status other than success.
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the answer is not a status;
    ///   ``TagError/reader(_:)``, including for a missing answer, after which the blocks may have been written.
    public func write(services: [[UInt8]], blocks: [[UInt8]], data: [[UInt8]]) throws(TagError) -> FeliCaStatus {
        let (status, rest) = try exchangeForStatus(
            .writeWithoutEncryption, Self.lists(services, blocks) + data.joined())
        guard rest.isEmpty else { throw violation("the answer to Write Without Encryption", rest.count, "no data") }
        return status
    }

    /// Sends Request System Code and returns the system codes of the card, 2 bytes each, high byte first.
    public func requestSystemCode() throws(TagError) -> [[UInt8]] {
        let answer = try exchangeWithIDm(.requestSystemCode)
        guard let count = answer.first, answer.count == 1 + 2 * Int(count) else {
            throw violation("the answer to Request System Code", answer.count, "1 byte, plus 2 for each system")
        }
        return Self.pieces(answer[1...], of: 2)
    }

    /// The answer of a card to Request Service v2.
    public struct ServiceVersions: Hashable, Sendable {
        /// The code of the encryption algorithms: 4F for AES, 41 for AES and DES.
        public let encryptionIdentifier: UInt8
        /// The versions of the AES keys, 2 bytes each.
        public let aes: [[UInt8]]
        /// The versions of the DES keys, 2 bytes each.
        ///
        /// The list is empty if the card uses only AES.
        public let des: [[UInt8]]
    }

    /// Sends Request Service v2.
    ///
    /// The versions are `nil` if the status is not a success.
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

    /// Sends Request Specification Version.
    ///
    /// The basic version and the versions of the options have 2 bytes each. They are empty if the status is not a
    /// success.
    public func requestSpecificationVersion()
        throws(TagError) -> (status: FeliCaStatus, basic: [UInt8], options: [UInt8])
    {
        let (status, rest) = try exchangeForStatus(.requestSpecificationVersion, Self.reserved)
        guard status.flag1 == 0 else { return (status, [], []) }
        guard rest.count >= 4, rest.count == 4 + 2 * Int(rest[3]) else {
            throw violation(
                "the answer to Request Specification Version", rest.count, "4 bytes, plus 2 for each option")
        }
        return (status, Array(rest[1..<3]), Array(rest[4...]))
    }

    /// Sends Reset Mode, which returns the card to mode 0.
    public func resetMode() throws(TagError) -> FeliCaStatus {
        try exchangeForStatus(.resetMode, Self.reserved).status
    }

    /// Sends a command, beginning with its code, and returns the answer, beginning with the code of the answer.
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
    /// The reserved bytes that two commands require.
    private static let reserved: [UInt8] = [0x00, 0x00]

    /// Returns both lists, each preceded by the number of its elements.
    private static func lists(_ services: [[UInt8]], _ blocks: [[UInt8]]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: services.count)] + services.joined() + [UInt8(truncatingIfNeeded: blocks.count)]
            + blocks.joined()
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>, of length: Int) -> [[UInt8]] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: length).map {
            Array(bytes[$0..<min($0 + length, bytes.endIndex)])
        }
    }

    /// Sends a command and returns the status flags and the data after them.
    private func exchangeForStatus(
        _ code: Code, _ body: [UInt8]
    ) throws(TagError) -> (status: FeliCaStatus, rest: [UInt8]) {
        let answer = try exchangeWithIDm(code, body)
        guard answer.count >= 2 else { throw violation("an answer with status flags", answer.count, "2 bytes or more") }
        return (FeliCaStatus(flag1: answer[0], flag2: answer[1]), Array(answer[2...]))
    }

    /// Sends a command with the IDm and returns the data after the IDm in the answer.
    private func exchangeWithIDm(_ code: Code, _ body: [UInt8] = []) throws(TagError) -> [UInt8] {
        let answer = try exchange(code, idm + body)
        // Check the IDm, so that another card in the field is not mistaken for this one.
        guard answer.starts(with: idm) else { throw .reader(.tagLost) }
        return Array(answer.dropFirst(idm.count))
    }

    /// Sends a command and returns the data after the code of the answer.
    private func exchange(_ code: Code, _ body: [UInt8]) throws(TagError) -> [UInt8] {
        let answer = try send([code.rawValue] + body)
        guard answer[0] == code.rawValue + 1 else {
            throw .protocolViolation(
                field: "the response code", found: answer[0].hex, expected: (code.rawValue + 1).hex, offset: nil
            )
        }
        return Array(answer[1...])
    }

    func violation(_ field: String, _ count: Int, _ expected: String) -> TagError {
        .protocolViolation(field: field, found: "\(ByteCount(count))", expected: expected, offset: nil)
    }
}
