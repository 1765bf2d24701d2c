// The events of an emulated tag that are reported

import TagTypes
import Testing

@Suite struct EmulationTests {
    private static let selectApplication: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]
    private static let selectFile: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04]
    private static let readLength: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x02]

    /// Sends commands, and returns the reported events without the exchanges.
    private static func told(_ emulation: inout Emulation, _ commands: [[UInt8]]) -> [Emulation.Event] {
        commands.flatMap { emulation.answer(to: $0).events }.filter {
            if case .exchanged = $0 { false } else { true }
        }
    }

    @Test func aReaderThatOnlyLooksIsNoEvent() throws {
        var emulation = Emulation(try EmulatedType4Tag(message: [0xD0, 0, 0]), count: 1)
        emulation.activated()
        #expect(emulation.deselected() == ([], false))
    }

    @Test func onlyAReaderThatReadsCounts() throws {
        var emulation = Emulation(try EmulatedType4Tag(message: [0xD0, 0, 0]), count: 1)
        emulation.activated()
        #expect(Self.told(&emulation, [Self.selectApplication, Self.selectFile]) == [.readerCame])
        #expect(emulation.deselected() == ([.readerLeft], false))
        emulation.activated()
        #expect(Self.told(&emulation, [Self.selectApplication, Self.selectFile, Self.readLength]) == [.readerCame])
        #expect(emulation.deselected() == ([.readerLeft], true))
    }

    @Test func aMessageIsWrittenWhenItsLengthIs() throws {
        var emulation = Emulation(try EmulatedType4Tag(message: [], isWritable: true, capacity: 100), count: nil)
        emulation.activated()
        let body: [UInt8] = [0x00, 0xD6, 0x00, 0x02, 0x03, 0xD0, 0, 0]
        let length: [UInt8] = [0x00, 0xD6, 0x00, 0x00, 0x02, 0x00, 0x03]
        #expect(Self.told(&emulation, [Self.selectApplication, Self.selectFile, body]) == [.readerCame])
        #expect(Self.told(&emulation, [length]) == [.written([0xD0, 0, 0])])
        #expect(emulation.deselected() == ([.readerLeft], false))
    }

    @Test func aMessageThatWasErasedIsToldWhenTheReaderLeaves() throws {
        var emulation = Emulation(
            try EmulatedType4Tag(message: [0xD0, 0, 0], isWritable: true, capacity: 100), count: nil)
        emulation.activated()
        let erase: [UInt8] = [0x00, 0xD6, 0x00, 0x00, 0x02, 0x00, 0x00]
        #expect(Self.told(&emulation, [Self.selectApplication, Self.selectFile, erase]) == [.readerCame])
        #expect(emulation.deselected() == ([.written([]), .readerLeft], false))
    }
}
