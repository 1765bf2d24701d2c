import ReaderInterface
import Testing

@testable import PCSCReaders

/// The APDUs that each family of readers receives for a native command of a tag.
@Suite struct TranslationTests {
    private static let ok: [UInt8] = [0x90, 0x00]
    private static let sessionOK: [UInt8] = [0xC0, 0x03, 0x00, 0x90, 0x00, 0x90, 0x00]
    private static let uid: [UInt8] = [6, 5, 4, 3, 2, 1, 0x04, 0xE0]

    /// The answers of a session to an exchange.
    private static func answer(_ bytes: [UInt8]) -> [UInt8] {
        [0xC0, 0x03, 0x00, 0x90, 0x00, 0x92, 0x01, 0x00, 0x96, 0x02, 0x00, 0x00, 0x97, UInt8(bytes.count)] + bytes + ok
    }

    @Test func anACR1552USendsNFCVRequestsInASession() throws {
        let reader = ScriptedReader(
            Self.sessionOK, Self.sessionOK, Self.answer([0x00, 1, 2, 3, 4]), Self.answer([0x00]))
        let channel = reader.channel(.acr1552U, .icode)
        let read: [UInt8] = [0x22, 0x20] + Self.uid + [0x05]
        #expect(try channel.transceive(read, framing: .raw) == [0x00, 1, 2, 3, 4])
        #expect(
            reader.received == [
                [0xFF, 0xC2, 0, 0, 2, 0x81, 0, 0], [0xFF, 0xC2, 0, 2, 4, 0x8F, 2, 2, 3],
                [0xFF, 0xC2, 0, 1, 13, 0x95, 11] + read + [0],
            ])
        // The timer of a write is in the same exchange: 1 s is 000F4240 microseconds, low byte first.
        let write: [UInt8] = [0x22, 0x21] + Self.uid + [0x05, 9, 9, 9, 9]
        #expect(try channel.transceive(write, framing: .raw, timeout: .seconds(1)) == [0x00])
        #expect(
            reader.received.last
                == [0xFF, 0xC2, 0, 1, 24, 0x5F, 0x46, 4, 0x40, 0x42, 0x0F, 0x00, 0x95, 15] + write + [0])
        channel.session.end()
        #expect(reader.received.last == [0xFF, 0xC2, 0, 0, 2, 0x82, 0, 0])
    }

    @Test(
        arguments: [
            [0xC0, 0x03, 0x01, 0x64, 0x01, 0x90, 0x00], [0x90, 0x00], [0x6F, 0x00], [0x97, 0x7F, 0x90, 0x00], [],
            [0x90],
            [0xC0, 0x03, 0x00, 0x90, 0x00, 0x96, 0x02, 0x00, 0x01, 0x90, 0x00],
            [0xC0, 0x03, 0x00, 0x90, 0x00, 0x96, 0x02, 0x02, 0x00, 0x97, 0x01, 0x00, 0x90, 0x00],
        ] as [[UInt8]])
    func whateverTheRadioDidInASessionIsSilence(answer: [UInt8]) {
        let reader = ScriptedReader(Self.sessionOK, Self.sessionOK, answer)
        #expect(throws: ReaderError.noAnswer) {
            try reader.channel(.acr1552U, .icode).transceive([0x02, 0x20, 0x05], framing: .raw)
        }
    }

    @Test func aReaderWithoutSessionsFallsBackToPassThrough() throws {
        let reader = ScriptedReader([0x6A, 0x81], [1, 2, 3, 4] + Self.ok, [5, 6, 7, 8] + Self.ok)
        let channel = reader.channel(.acr1552U, .icode)
        #expect(try channel.transceive([0x22, 0x20] + Self.uid + [0x05], framing: .raw) == [0, 1, 2, 3, 4])
        #expect(reader.received.last == [0xFF, 0xFB, 0, 0, 2, 0x20, 0x05])
        #expect(try channel.transceive([0x02, 0x20, 0x06], framing: .raw) == [0, 5, 6, 7, 8])
        #expect(reader.received.count == 3)
        // Flags that only a whole frame can carry.
        #expect(!channel.carries([0x62, 0x20] + Self.uid + [0x05], framing: .raw))
        #expect(throws: ReaderError.cannotSend(command: 0x20, reader: "Reader", technology: .nfcV, flags: 0x42)) {
            try channel.transceive([0x42, 0x20, 0x05], framing: .raw)
        }
        #expect(reader.received.count == 3)
    }

    @Test func aUTrustSendsPlainRequestsOnly() throws {
        let reader = ScriptedReader([0x90, 0x00], [0x6A, 0x82], [0x69, 0x82], [0x64, 0x01])
        let channel = reader.channel(.uTrust372x, .icode)
        let write: [UInt8] = [0x22, 0x21] + Self.uid + [0x05, 1, 2, 3, 4]
        #expect(try channel.transceive(write, framing: .raw) == [0x00])
        #expect(reader.received == [[0xFF, 0xFC, 0, 0, 6, 0x21, 5, 1, 2, 3, 4]])
        #expect(try channel.transceive(write, framing: .raw) == [0x01, 0x10])
        #expect(try channel.transceive(write, framing: .raw) == [0x01, 0x12])
        #expect(throws: ReaderError.noAnswer) { try channel.transceive(write, framing: .raw) }
        let other: [UInt8] = [0x22, 0x20, 1, 2, 3, 4, 5, 6, 7, 8, 0x05]
        for command in [[0x22, 0xB2, 0x04] + Self.uid, other, [0x0A, 0x20, 0x05], [0x02], [0x22, 0x20]] {
            #expect(!channel.carries(command, framing: .raw))
        }
    }

    /// The increment of a counter, or Stay Quiet, must not be sent again.
    @Test func aCommandWithoutAnAnswerIsSentOnce() {
        let reader = ScriptedReader { _ in [0x64, 0x01] }
        let channel = reader.channel(.uTrust372x, .icode)
        let write: [UInt8] = [0x02, 0x21, 0x05, 1, 2, 3, 4]
        #expect(throws: ReaderError.noAnswer) { try channel.transceive(write, framing: .raw) }
        #expect(reader.received == [[0xFF, 0xFC, 0, 0, 6] + write[1...]])
        #expect(channel.hidesRefusal(of: write))
        #expect(!reader.channel(.acr1552U, .icode).hidesRefusal(of: write))
        #expect(!reader.channel(.uTrust372x, .ntag).hidesRefusal(of: [0xA2, 0x05, 1, 2, 3, 4]))
    }

    @Test func aSessionThatWasOpenOnceIsNotGivenUp() throws {
        let reader = ScriptedReader(
            Self.sessionOK, Self.sessionOK, Self.answer([0x00, 1, 2, 3, 4]),
            // The tag is at the edge of the field when it is activated again.
            Self.sessionOK, [0xC0, 0x03, 0x01, 0x64, 0x01, 0x90, 0x00], Self.ok,
            Self.sessionOK, Self.sessionOK, Self.answer([0x00]))
        let channel = reader.channel(.acr1552U, .icode)
        let write: [UInt8] = [0x62, 0x21] + Self.uid + [0x05, 9, 9, 9, 9]
        _ = try channel.transceive([0x22, 0x20] + Self.uid + [0x05], framing: .raw)
        try channel.reselect()
        #expect(throws: ReaderError.noAnswer) { try channel.transceive(write, framing: .raw) }
        // Pass-through does not support these flags.
        #expect(channel.carries(write, framing: .raw))
        try channel.reselect()
        #expect(try channel.transceive(write, framing: .raw) == [0x00])
    }

    /// The first session fails because a card is still being placed, but the reader still counts as supporting
    /// sessions.
    @Test(arguments: [[0xC0, 0x03, 0x01, 0x64, 0x01, 0x90, 0x00], [0x64, 0x00]])
    func aCardThatIsSlowAtFirstDoesNotCostTheSession(late: [UInt8]) throws {
        let reader = ScriptedReader(
            Self.sessionOK, late, Self.ok, Self.sessionOK, Self.sessionOK, Self.answer([0x00, 1, 2, 3, 4]))
        let channel = reader.channel(.acr1552U, .icode)
        let read: [UInt8] = [0x22, 0x20] + Self.uid + [0x05]
        #expect(throws: ReaderError.noAnswer) { try channel.transceive(read, framing: .raw) }
        #expect(try channel.transceive(read, framing: .raw) == [0x00, 1, 2, 3, 4])
    }

    /// Returns a reader with a tag of 4-byte blocks that FF B0 and FF D6 access, with addresses in units of `unit`
    /// bytes.
    private func memoryReader(unit: Int, _ memory: [UInt8]) -> ScriptedReader {
        var memory = memory
        return ScriptedReader { command in
            let first = (Int(command[2]) << 8 | Int(command[3])) * unit
            switch command[1] {
            case 0xB0:
                let last = first + Int(command[4])
                return last <= memory.count ? Array(memory[first..<last]) + [0x90, 0x00] : [0x6A, 0x82]
            case 0xD6:
                memory.replaceSubrange(first..<first + Int(command[4]), with: command[5...])
                return [0x90, 0x00]
            default: return [0x6D, 0x00]
            }
        }
    }

    @Test func blocksAreReadByTwoRoutesBeforeTheFirstWrite() throws {
        let reader = memoryReader(unit: 4, Array(0..<112))
        let channel = reader.channel(.omnikey, .icode)
        #expect(try channel.transceive([0x02, 0x20, 0x05], framing: .raw) == [0, 20, 21, 22, 23])
        #expect(
            try channel.transceive([0x02, 0x23, 0x05, 0x01], framing: .raw) == [0, 20, 21, 22, 23, 24, 25, 26, 27])
        // Two of these APDUs determine the size of a block.
        #expect(reader.received.count == 4)
        #expect(try channel.transceive([0x02, 0x21, 0x05, 9, 8, 7, 6], framing: .raw) == [0])
        #expect(reader.received.last == [0xFF, 0xD6, 0, 5, 4, 9, 8, 7, 6])
        #expect(try channel.transceive([0x02, 0x20, 0x05], framing: .raw) == [0, 9, 8, 7, 6])
        // The check is valid for the connection.
        let count = reader.received.count
        _ = try channel.transceive([0x02, 0x21, 0x06, 9, 8, 7, 6], framing: .raw)
        #expect(reader.received.count == count + 1)
        // A block whose size differs from the reader's is not written.
        #expect(try channel.transceive([0x02, 0x21, 0x06, 9, 8], framing: .raw) == [0x01, 0x0F])
        #expect(reader.received.count == count + 1)
    }

    @Test(arguments: [1, 2])
    func aReaderOfAnotherConventionIsNotWrittenThrough(unit: Int) {
        let reader = memoryReader(unit: unit, Array(0..<112))
        #expect(throws: ReaderError.cannotSend(command: 0x21, reader: "Reader", technology: .nfcV)) {
            try reader.channel(.generic, .icode).transceive([0x02, 0x21, 0x05, 9, 8, 7, 6], framing: .raw)
        }
        #expect(!reader.received.contains { $0[1] == 0xD6 })
    }

    /// The blocks have 8 bytes, or the reader counts in units of two blocks.
    ///
    /// In both cases, 4 bytes are not enough.
    @Test func longerBlocksAreNotWrittenInPart() throws {
        let reader = memoryReader(unit: 8, Array(0..<112))
        let channel = reader.channel(.generic, .icode)
        #expect(try channel.transceive([0x02, 0x20, 0x05], framing: .raw) == [0] + Array(40..<48))
        #expect(try channel.transceive([0x02, 0x21, 0x05, 9, 8, 7, 6], framing: .raw) == [0x01, 0x0F])
        #expect(!reader.received.contains { $0[1] == 0xD6 })
    }

    /// The radio fails for the first commands, which does not decide the size of blocks or their addresses.
    @Test func noiseDecidesNothingForTheConnection() throws {
        let tag = memoryReader(unit: 8, Array(0..<112))
        var failures = 1
        let reader = ScriptedReader { command in
            failures -= 1
            return failures >= 0 ? [0x63, 0x00] : (try? tag.transmit(command).bytes) ?? []
        }
        let channel = reader.channel(.generic, .icode)
        #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x02, 0x20, 0x05], framing: .raw) }
        #expect(try channel.transceive([0x02, 0x20, 0x05], framing: .raw) == [0] + Array(40..<48))
        failures = 1
        let write: [UInt8] = [0x02, 0x21, 0x05] + Array(1...8)
        #expect(throws: ReaderError.noAnswer) { try channel.transceive(write, framing: .raw) }
        #expect(try channel.transceive(write, framing: .raw) == [0])
    }

    /// The reader reports each failure in the same way as noise.
    @Test func aReaderThatNeverReads32BytesIsTakenToHaveTheUsualBlocks() throws {
        let tag = memoryReader(unit: 4, Array(0..<112))
        let reader = ScriptedReader { $0[4] > 16 ? [0x63, 0x00] : (try? tag.transmit($0).bytes) ?? [] }
        let channel = reader.channel(.generic, .icode)
        for _ in 0..<2 {
            #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x02, 0x20, 0x05], framing: .raw) }
        }
        #expect(try channel.transceive([0x02, 0x20, 0x05], framing: .raw) == [0, 20, 21, 22, 23])
    }

    @Test func blocksThatAreAllAlikeProveNothing() {
        let reader = memoryReader(unit: 4, Array(repeating: 0, count: 112))
        #expect(throws: ReaderError.cannotSend(command: 0x21, reader: "Reader", technology: .nfcV)) {
            try reader.channel(.generic, .icode).transceive([0x02, 0x21, 0x05, 9, 8, 7, 6], framing: .raw)
        }
        #expect(!reader.received.contains { $0[1] == 0xD6 })
    }

    @Test func aType2TagIsReadAndWrittenByEveryReader() throws {
        var memory = [UInt8](repeating: 0, count: 64)
        memory.replaceSubrange(0..<8, with: [0x04, 1, 2, 0x8F, 3, 4, 5, 6])
        let reader = memoryReader(unit: 4, memory)
        let channel = reader.channel(.uTrust372x, .ntag)
        #expect(try channel.transceive([0x30, 0x04], framing: .handled) == Array(memory[16..<32]))
        #expect(reader.received.last == [0xFF, 0xB0, 0, 4, 16])
        #expect(try channel.transceive([0xA2, 0x04, 1, 2, 3, 4], framing: .handled) == [])
        #expect(reader.received.last == [0xFF, 0xD6, 0, 4, 4, 1, 2, 3, 4])
        #expect(try channel.exchangeFrame([0xA2, 0x05, 1, 2, 3, 4], timeout: .seconds(1)) == .nibble(0xA))
        // The block is beyond the end, so this is a refusal, not noise.
        #expect(try channel.exchangeFrame([0x30, 0xFF], timeout: .seconds(1)) == .nibble(0x0))
        for command: [UInt8] in [[0x60], [0x3A, 0, 3], [0x1B, 1, 2, 3, 4], [0x3C, 0], [0x39, 2]] {
            #expect(!channel.carries(command, framing: .raw))
        }
    }

    @Test func aType2TagWhoseUIDIsNotInBlock1IsNotWritten() {
        let reader = memoryReader(unit: 4, Array(0..<64))
        #expect(throws: ReaderError.cannotSend(command: 0xA2, reader: "Reader", technology: .nfcA)) {
            try reader.channel(.generic, .ntag).transceive([0xA2, 0x04, 1, 2, 3, 4], framing: .handled)
        }
    }

    @Test func anACR122USendsOtherFramesByItsPN532() throws {
        let reader = ScriptedReader(
            [0xD5, 0x43, 0x00, 0x00, 0x04] + Self.ok, [0xD5, 0x43, 0x01] + Self.ok, [0xD5] + Self.ok)
        let channel = reader.channel(.acr122U, .ntag)
        #expect(try channel.transceive([0x60], framing: .raw) == [0x00, 0x04])
        #expect(reader.received == [[0xFF, 0, 0, 0, 3, 0xD4, 0x42, 0x60]])
        for _ in 0..<3 {
            #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x60], framing: .raw) }
        }
    }

    @Test func fourBitsInASessionAreANAKOrTheACK() throws {
        let reader = ScriptedReader(
            Self.sessionOK, Self.sessionOK,
            [0xC0, 3, 0, 0x90, 0, 0x92, 1, 4, 0x96, 2, 0, 0, 0x97, 1, 0x0A, 0x90, 0],
            [0xC0, 3, 0, 0x90, 0, 0x92, 1, 4, 0x96, 2, 0, 0, 0x97, 1, 0x00, 0x90, 0])
        let channel = reader.channel(.acr1552U, .ntag)
        #expect(try channel.transceive([0xA2, 4, 1, 2, 3, 4], framing: .handled) == [])
        #expect(try channel.exchangeFrame([0x1B, 1, 2, 3, 4], timeout: .seconds(1)) == .nibble(0))
    }

    @Test func aMIFAREClassicKeyIsLoadedOnceForMany() throws {
        let reader = ScriptedReader { $0[1] == 0xB0 ? Array(repeating: 7, count: 16) + Self.ok : Self.ok }
        let channel = reader.channel(.acr122U, .classic)
        let key: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
        #expect(try channel.transceive([0x60, 7] + key + [1, 2, 3, 4], framing: .handled) == [])
        #expect(try channel.transceive([0x61, 11] + key + [1, 2, 3, 4], framing: .handled) == [])
        #expect(try channel.transceive([0x30, 8], framing: .handled) == Array(repeating: 7, count: 16))
        _ = try channel.transceive([0xA0, 8] + Array(repeating: 1, count: 16), framing: .handled)
        #expect(
            reader.received == [
                [0xFF, 0x82, 0, 0, 6] + key, [0xFF, 0x86, 0, 0, 5, 1, 0, 7, 0x60, 0],
                [0xFF, 0x86, 0, 0, 5, 1, 0, 11, 0x61, 0], [0xFF, 0xB0, 0, 8, 16],
                [0xFF, 0xD6, 0, 8, 16] + Array(repeating: 1, count: 16),
            ])
    }

    @Test func apdusReachACardAndNothingElseDoes() throws {
        let reader = ScriptedReader([0x6A, 0x82], [1, 2] + Self.ok)
        let channel = reader.channel(.generic, .type4)
        #expect(try channel.transceive([0x00, 0xA4, 0, 0], framing: .handled) == [0x6A, 0x82])
        #expect(try channel.transceive([0x00, 0xB0, 0, 0, 2], framing: .handled) == [1, 2, 0x90, 0x00])
        // These commands are for the reader itself, or are not APDUs.
        for command: [UInt8] in [[0xFF, 0xCA, 0, 0, 0], [0x60], [0xFF, 0xD6, 0, 4, 4, 1, 2, 3, 4]] {
            #expect(!channel.carries(command, framing: .handled))
        }
        #expect(reader.received.count == 2)
    }

    @Test func feliCaFramesNeedAReaderThatLetsThemThrough() throws {
        let polling: [UInt8] = [6, 0, 0xFF, 0xFF, 1, 0]
        let reader = ScriptedReader([0xD5, 0x43, 0, 2, 1] + Self.ok)
        #expect(try reader.channel(.acr125x, .feliCa).transceive(polling, framing: .raw) == [2, 1])
        #expect(!reader.channel(.generic, .feliCa).carries(polling, framing: .raw))
        #expect(throws: ReaderError.cannotSend(command: 0, reader: "Reader", technology: .nfcF)) {
            try reader.channel(.omnikey, .feliCa).transceive(polling, framing: .raw)
        }
    }

    @Test func commandsThatAreTooLongAreNotSent() {
        let reader = ScriptedReader(Self.ok)
        let channel = reader.channel(.acr1552U, .icode)
        let command = [0x02, 0x21] + [UInt8](repeating: 0, count: channel.maxCommandLength)
        #expect(throws: ReaderError.commandTooLong(length: command.count, limit: channel.maxCommandLength)) {
            try channel.transceive(command, framing: .raw)
        }
        #expect(reader.received.isEmpty)
    }
}
