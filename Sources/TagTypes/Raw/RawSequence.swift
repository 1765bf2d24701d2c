// A sequence of raw commands and their answers — NFC Forum T2T, ACK and NAK Responses

package import ReaderInterface

/// The commands for one tag, in order.
///
/// After the first command that fails, no further commands are sent.
package struct RawSequence: Sendable {
    /// The protocol of the commands.
    package enum Language: Hashable, Sendable {
        /// The native protocol of the tag.
        case own
        /// ISO/IEC 7816-4 over ISO-DEP.
        case apdu
    }

    package let language: Language
    package let commands: [RawCommand]

    package init(language: Language, commands: [RawCommand]) {
        (self.language, self.commands) = (language, commands)
    }

    /// The timeout for a command whose protocol the reader handles.
    ///
    /// Cards with ISO-DEP may ask for more time, which the reader grants.
    private static let isoDEPTimeout = Duration.seconds(1)
    /// The first packet of SECTOR SELECT.
    ///
    /// The second packet has 4 bytes. The tag acknowledges it by not answering for 1 ms.
    private static let sectorSelect: [UInt8] = [0xC2, 0xFF]
    /// The length of an authentication command in the form that readers accept — NXP PN532 User Manual, InDataExchange:
    /// command, block, 6 key bytes, 4 UID bytes.
    private static let authenticationLength = 12
    private static let sectorPacketLength = 4
    private static let passiveAcknowledgement = Duration.milliseconds(20)

    /// Sends the commands, or sends nothing if one of them cannot be sent.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for APDUs to a tag without ISO-DEP; ``UnsendableCommand``.
    package func play(on channel: any TagChannel) throws -> RawTranscript {
        let speaksISODEP = TagDetection.tagType(of: channel.target).type == .type4
        if language == .apdu, !speaksISODEP {
            throw TagError.unsupported(reason: "it does not support ISO-DEP, so it accepts no APDUs")
        }
        for (index, command) in commands.enumerated() { try check(command, index, for: channel) }
        var transcript = RawTranscript()
        for (index, command) in commands.enumerated() {
            do throws(ReaderError) {
                let answer = try answer(to: command.bytes, after: transcript.exchanges.last, on: channel)
                transcript.exchanges.append(RawExchange(command: command.bytes, answer: answer))
                guard let reason = refusal(answer, of: command) else { continue }
                transcript.failure = BrokenSequence(self, at: index, reason)
            } catch {
                transcript.failure = BrokenSequence(
                    self, at: index, .reader(error),
                    isAuthentication: isAuthentication(command.bytes, to: channel.target))
            }
            return transcript
        }
        return transcript
    }

    /// Checks, before anything is sent, that a command is valid and that the reader can send it.
    private func check(_ command: RawCommand, _ index: Int, for channel: any TagChannel) throws {
        let bytes = command.bytes
        let limit = framesItself(channel.target) ? channel.maxFrameLength : channel.maxCommandLength
        guard bytes.count <= limit else {
            throw UnsendableCommand(number: index + 1, of: commands.count, length: bytes.count, .tooLong(limit: limit))
        }
        if isAuthentication(bytes, to: channel.target), bytes.count != Self.authenticationLength {
            throw TagError.unsupported(
                reason: "the reader does the authentication; command \(index + 1) must be 60 or 61, the block, "
                    + "a key of 6 bytes and the last 4 bytes of the UID")
        }
        if case .nfcF = channel.target, Int(bytes[0]) != bytes.count {
            throw UnsendableCommand(number: index + 1, of: commands.count, length: bytes.count, .otherLengthFirst)
        }
    }

    /// Whether a command authenticates to a MIFARE Classic: the command is 60 for key A, or 61 for key B.
    private func isAuthentication(_ command: [UInt8], to target: Target) -> Bool {
        TagDetection.tagType(of: target).type == .mifareClassic && [0x60, 0x61].contains(command[0])
    }

    /// Whether the tag uses NFC-A without a higher protocol that the reader handles.
    private func framesItself(_ target: Target) -> Bool {
        guard case .nfcA = target else { return false }
        let type = TagDetection.tagType(of: target).type
        return type != .type4 && type != .mifareClassic
    }

    private func answer(
        to command: [UInt8], after previous: RawExchange?, on channel: any TagChannel
    ) throws(ReaderError) -> RawExchange.Answer {
        let timeout = type(of: channel).defaultTimeout
        switch channel.target {
        case .nfcA where framesItself(channel.target):
            return try frame(command, after: previous, on: channel)
        case .nfcA, .nfcB:
            let isHandled = TagDetection.tagType(of: channel.target).type != nil
            let answer = try channel.transceive(
                command, framing: isHandled ? .handled : .raw, timeout: isHandled ? Self.isoDEPTimeout : timeout)
            guard language == .apdu else { return .bytes(answer) }
            return ResponseAPDU(bytes: answer).map { .response($0) } ?? .bytes(answer)
        case .nfcF, .nfcV: return .bytes(try channel.transceive(command, framing: .raw, timeout: timeout))
        case .jewel(let target):
            let isBlockCommand = Self.type1BlockCommands.contains(command[0])
            // The reader adds the UID to the commands that it supports. Do the same for the other commands, so that
            // users need not enter the UID.
            let isShort = isBlockCommand && command.count == Self.type1BlockLength
            return .bytes(
                try channel.transceive(
                    isShort ? command + target.uid : command, framing: isBlockCommand ? .raw : .handled,
                    timeout: timeout))
        }
    }

    private func frame(
        _ command: [UInt8], after previous: RawExchange?, on channel: any TagChannel
    ) throws(ReaderError) -> RawExchange.Answer {
        let selectsSector =
            previous?.command == Self.sectorSelect && previous?.answer == .nibble(RawExchange.ack)
            && command.count == Self.sectorPacketLength
        let timeout = selectsSector ? Self.passiveAcknowledgement : type(of: channel).defaultTimeout
        do throws(ReaderError) {
            switch try channel.exchangeFrame(command, timeout: timeout) {
            case .bytes(let bytes): return .bytes(bytes)
            case .nibble(let bits): return .nibble(bits)
            }
        } catch {
            guard selectsSector, error == .noAnswer else { throw error }
            return .passive
        }
    }

    /// The codes of READ8, WRITE-NE8 and WRITE-E8 — NFC Forum T1T, dynamic memory.
    private static let type1BlockCommands: Set<UInt8> = [0x02, 0x1B, 0x54]
    /// The length of READ8, WRITE-NE8 and WRITE-E8 without the UID: code, block number and 8 bytes.
    private static let type1BlockLength = 10

    /// Returns the reason why an answer ends the sequence, or `nil` if the sequence can continue.
    private func refusal(_ answer: RawExchange.Answer, of command: RawCommand) -> BrokenSequence.Reason? {
        switch answer {
        case .nibble(let bits) where bits != RawExchange.ack: return .nak(bits)
        case .bytes(let bytes) where language == .apdu: return .noStatus(length: bytes.count)
        case .response(let response):
            guard let expected = command.expected, !expected.matches(response.sw) else { return nil }
            return .status(found: response.sw, expected)
        case .bytes, .nibble, .passive: return nil
        }
    }
}
