// The ACR122U's own commands: bytes of the ACS ACR122U API 2.04, 6.2 and 6.7, in messages of USB CCID 1.1

import ReaderInterface
import Testing

@testable import LibNFC

@Suite struct ACR122UTests {
    @Test(arguments: [
        // P2: bits 2 and 3 allow changes of red and green, and bits 0 and 1 are the new states. T1, T2, repetitions,
        // sound.
        (Signal(.success, lights: true, sounds: true), "FF 00 40 0E 04 01 00 01 01", 100),
        (Signal(.failure, lights: true, sounds: true), "FF 00 40 0D 04 01 01 02 01", 400),
        (Signal(.success, lights: true, sounds: false), "FF 00 40 0E 04 00 00 00 00", 0),
        (Signal(.failure, lights: false, sounds: true), "FF 00 40 00 04 01 01 02 01", 400),
        (Signal(.idle, lights: true, sounds: true), "FF 00 40 0C 04 00 00 00 00", 0),
    ])
    func aSignalIsOneCommand(_ signal: Signal, _ apdu: String, _ milliseconds: Int) throws {
        let command = try #require(ACR122U.command(for: signal))
        #expect(command.apdu == bytes(apdu))
        #expect(command.milliseconds == milliseconds)
    }

    @Test(arguments: [
        Signal(.success, lights: false, sounds: false), Signal(.failure, lights: false, sounds: false),
        Signal(.idle, lights: false, sounds: true),
    ])
    func aSignalWithoutLightAndSoundIsNone(_ signal: Signal) { #expect(ACR122U.command(for: signal) == nil) }

    @Test func aCommandGoesOutInATransferBlock() {
        let message = CCIDMessage(sequence: 7, apdu: ACR122U.ownPolling)
        #expect(message.encoded == bytes("6F 05 00 00 00 00 07 00 00 00 FF 00 51 FF 00"))
    }

    @Test func onlyTheAnswerWithTheMessagesNumberIsItsAnswer() {
        let message = CCIDMessage(sequence: 7, apdu: ACR122U.chipVersion)
        let answer = bytes("80 02 00 00 00 00 07 00 81 00 90 00")
        #expect(message.answer(in: answer) == [0x90, 0x00])
        for cut in 0..<answer.count { #expect(message.answer(in: Array(answer.prefix(cut))) == nil) }
        // libnfc's sequence number, another kind of message, and an incorrect length.
        for (index, byte) in [(6, 0), (0, 0x83), (1, 3), (4, 0xFF)] as [(Int, UInt8)] {
            var other = answer
            other[index] = byte
            #expect(message.answer(in: other) == nil)
        }
    }
}
