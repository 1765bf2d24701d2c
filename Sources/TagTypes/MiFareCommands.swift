// Sending native commands to MIFARE products without changing them — NXP MF0ULx1, NTAG21x, MF3ICDx21_41_81 (DESFire
// EV1)
import Hexadecimal
public import ReaderInterface

/// A family of MIFARE products, which is identified by the activation data — NXP AN10833.
public enum MiFareFamily: Hashable, Sendable {
    /// MIFARE Ultralight and NTAG 2xx.
    case ultralight
    /// MIFARE Plus.
    case plus
    /// MIFARE DESFire and NTAG 4xx.
    case desfire

    private static let desfireSensRes: [UInt8] = [0x03, 0x44]
    private static let ultralightSensRes: [UInt8] = [0x00, 0x44]
    /// The first historical bytes of a MIFARE Plus: a compact TLV defined by NXP.
    private static let plusHistoricalBytes: [UInt8] = [0xC1, 0x05]

    /// Identifies the family of a target, or returns `nil` for MIFARE Classic and chips of other manufacturers.
    public init?(_ target: NFCATarget) {
        switch target.selRes {
        case 0x00 where target.sensRes == Self.ultralightSensRes: self = .ultralight
        case 0x20 where target.sensRes == Self.desfireSensRes: self = .desfire
        case 0x20 where target.historicalBytes.starts(with: Self.plusHistoricalBytes): self = .plus
        // These are the SAK values of a MIFARE Plus in security level 2.
        case 0x10, 0x11: self = .plus
        default: return nil
        }
    }
}

extension NFCATarget {
    /// The historical bytes of the answer to select, which follow T0 and the interface bytes that T0 announces —
    /// ISO/IEC 14443-4, Answer to Select.
    public var historicalBytes: [UInt8] {
        guard let t0 = ats.first else { return [] }
        let interfaceBytes = (t0 >> 4 & 1) + (t0 >> 5 & 1) + (t0 >> 6 & 1)
        return Array(ats.dropFirst(1 + Int(interfaceBytes)))
    }

    /// Whether the answer to select is that of a MIFARE DESFire EV1 to EV3 — NXP AN10833.
    public var isDESFire: Bool { ats == [0x75, 0x77, 0x81, 0x02, 0x80] }
}

/// Sends commands to a MIFARE product without interpreting the answers, except to join the frames of one answer.
public struct MiFareCommands {
    /// The status of an answer that continues in another frame, and also the command that requests that frame.
    private static let additionalFrame: UInt8 = 0xAF
    /// The CLA byte of wrapped commands and the SW1 byte of their answers.
    static let wrappedClass: UInt8 = 0x90
    private static let wrappedStatus: UInt8 = 0x91
    /// The first bytes that mark a command as an APDU: no native command begins with them.
    private static let classes: Set<UInt8> = [0x00, wrappedClass]
    /// The commands after which `AF` asks the host for its next step: the authentications and CommitReaderID.
    private static let dialogues: Set<UInt8> = [0x0A, 0x1A, 0xAA, 0x71, 0x77, 0xC8, 0x70, 0x72, 0x76]
    /// The write commands, after which `AF` asks the host for more data.
    private static let uploads: Set<UInt8> = [0x3D, 0x3B, 0x8D, 0x8B, 0xDB, 0xBA, 0xC9, 0xAF]
    /// The maximum length of an answer in frames; `maxLength` is the maximum in bytes.
    private static let maxFrames = 4_096
    private static let maxLength = 65_536

    private let channel: any TagChannel
    /// The timeout for a command to a tag that does not specify a timeout itself.
    ///
    /// Ultralight and NTAG complete a write within 10 ms.
    private static let frameTime = Duration.seconds(1)
    /// The 4-bit ACK.
    private static let acknowledgement: UInt8 = 0x0A

    /// Creates the commands for a target of type A.
    public init(over channel: any TagChannel) { self.channel = channel }

    /// Sends a command to a tag without ISO-DEP and returns the answer.
    ///
    /// The 4-bit ACK is returned as one byte, `0A`. After a NAK or a missing answer, the tag is activated again so that
    /// it accepts further commands.
    ///
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` for a NAK or a missing answer; ``TagError/reader(_:)``
    ///   with `tagLost` if the tag is gone.
    public func sendFrame(_ command: [UInt8]) throws(TagError) -> [UInt8] {
        try accepted(try answer(to: command, within: Self.frameTime), of: command)
    }

    /// Sends the second packet of SECTOR_SELECT, which a tag acknowledges by not answering for 1 ms — NFC Forum T2T.
    ///
    /// - Returns: the answer, which is empty if the tag acknowledged the packet.
    /// - Throws: what ``sendFrame(_:)`` throws.
    public func sendSectorNumber(_ packet: [UInt8]) throws(TagError) -> [UInt8] {
        guard let answer = try answer(to: packet, within: Type2Memory.passiveAcknowledgement) else { return [] }
        return try accepted(answer, of: packet)
    }

    /// Sends a frame, and returns the answer, or `nil` if there is none.
    private func answer(to frame: [UInt8], within timeout: Duration) throws(TagError) -> FrameAnswer? {
        do throws(ReaderError) {
            return try channel.exchangeFrame(frame, timeout: timeout)
        } catch {
            guard error == .noAnswer else { throw .reader(error) }
            return nil
        }
    }

    /// Returns the bytes of an answer, or activates the tag again and throws the error for a refusal.
    private func accepted(_ answer: FrameAnswer?, of command: [UInt8]) throws(TagError) -> [UInt8] {
        switch answer {
        case .bytes(let bytes)?: return bytes
        case .nibble(Self.acknowledgement)?: return [Self.acknowledgement]
        case .nibble?, nil:
            try onReader { () throws(ReaderError) in try channel.reselect() }
            throw .commandFailed(command: "command \(command.prefix(1).spacedHex)", offset: nil, sw: nil)
        }
    }

    /// Whether the tag now expects the second packet of SECTOR_SELECT, because it acknowledged the first one.
    public static func awaitsSectorNumber(after command: [UInt8], _ answer: [UInt8]) -> Bool {
        command == Type2Memory.sectorSelect && answer == [acknowledgement]
    }

    /// Sends a native command to a card with ISO-DEP and returns its answer.
    ///
    /// The answer consists of the status of the last frame and the data of all frames. A command that begins with a
    /// class byte is a complete APDU, and its answer is returned unchanged. The answer to an authentication or a write
    /// command is also returned unchanged.
    public func sendNative(_ command: [UInt8]) throws(TagError) -> [UInt8] {
        let answer = try exchange(command)
        guard let code = command.first, !Self.classes.contains(code), joinsFrames(code) else { return answer }
        let whole = try joined((data: answer[...].dropFirst(), status: answer.first)) { (part) throws(TagError) in
            guard part.status == Self.additionalFrame else { return nil }
            let next = try exchange([Self.additionalFrame])
            return (next.dropFirst(), next.first)
        }
        return [whole.status].compactMap(\.self) + whole.data
    }

    /// Sends an APDU and, for a wrapped native command, joins the frames of the answer.
    ///
    /// - Parameters:
    ///   - command: the command, with at most 65535 bytes of data and an Ne of at most 65536.
    ///   - isExtended: whether to use the extended length form even if the short form would be sufficient.
    /// - Returns: the data of all frames, with the status word of the last one.
    /// - Throws: what ``RawAPDUExchange/send(_:isExtended:)`` throws;
    ///   ``TagError/protocolViolation(field:found:expected:offset:)`` if the frames do not end.
    public func sendAPDU(_ command: CommandAPDU, isExtended: Bool = false) throws(TagError) -> ResponseAPDU {
        let exchange = RawAPDUExchange(over: channel)
        let answer = try exchange.send(command, isExtended: isExtended)
        guard command.cla == Self.wrappedClass, joinsFrames(command.ins) else { return answer }
        let whole = try joined((data: answer.data[...], status: answer.sw)) { (part) throws(TagError) in
            guard part.status == StatusWord(UInt16(Self.wrappedStatus) << 8 | UInt16(Self.additionalFrame)) else {
                return nil
            }
            let next = try exchange.send(
                CommandAPDU(cla: Self.wrappedClass, ins: Self.additionalFrame, p1: 0, p2: 0, ne: 256))
            return (next.data[...], next.sw)
        }
        return ResponseAPDU(data: whole.data, sw: whole.status)
    }

    /// Joins all parts of an answer and returns them with the status of the last part.
    ///
    /// `next` requests the part that follows the given one, and returns `nil` after the last part. The function throws
    /// a protocol violation if the answer exceeds the limits.
    private func joined<Status>(
        _ first: (data: ArraySlice<UInt8>, status: Status),
        next: ((data: ArraySlice<UInt8>, status: Status)) throws(TagError) -> (data: ArraySlice<UInt8>, status: Status)?
    ) throws(TagError) -> (data: [UInt8], status: Status) {
        var (part, data) = (first, Array(first.data))
        for _ in 0..<Self.maxFrames {
            guard let following = try next(part) else { return (data, part.status) }
            part = following
            data += part.data
            guard data.count <= Self.maxLength else { break }
        }
        throw .protocolViolation(
            field: "the chain of frames", found: "longer than \(Self.maxLength) bytes or \(Self.maxFrames) frames",
            expected: "the last frame", offset: nil)
    }

    private func joinsFrames(_ code: UInt8) -> Bool { !Self.dialogues.contains(code) && !Self.uploads.contains(code) }

    private func exchange(_ command: [UInt8]) throws(TagError) -> [UInt8] {
        try onReader { () throws(ReaderError) in
            try channel.transceive(command, framing: .handled, timeout: RawAPDUExchange.longestAnswer)
        }
    }
}
