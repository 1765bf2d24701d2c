// Selecting the NDEF file of a DESFire again, with few commands, after its rights were requested
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct DESFireSelectionTests {
    private static let all = ["00A4040007 D2760000850101 00", "00A4000C02 E103", "00B000000F", "00A4000C02 E104"]

    private func recording(_ card: DESFireCard) -> RecordingChannel { RecordingChannel(card, target: .type4) }

    @Test(
        "After a request for the rights, a write selects only the file, or the application too if the card lost it",
        arguments: [false, true])
    func selectionAfterTheRights(losesApplication: Bool) throws {
        let card = DESFireCard()
        try Type4Tag(on: recording(card)).initialise()
        try Type4Tag(on: recording(card)).writeNDEF(message(10))
        card.losesApplication = losesApplication
        let channel = recording(card)
        let tag = Type4Tag(on: channel)
        _ = try tag.detect()
        let first = channel.commands.count
        _ = try tag.planWrite(message(5), .throughEmpty, oldMessage: .kept, followedBy: [])
        let expected = ["90F5000001 02 00", "00A4000C02 E104"] + (losesApplication ? Self.all : [])
        #expect(Array(channel.commands[first...]) == expected.map { bytes($0) })
        try tag.writeNDEF(message(5))
        #expect(try Type4Tag(on: recording(card)).readNDEF() == message(5))
    }

    @Test("If an answer is lost while the file is selected again, the whole selection is repeated")
    func lostSelection() throws {
        let card = DESFireCard()
        try Type4Tag(on: recording(card)).initialise()
        let whole = recording(card)
        try Type4Tag(on: whole).writeNDEF(message(5))
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let channel = RecordingChannel(card, target: .type4, fault: .silence(at: number, after: after))
                try Type4Tag(on: channel).writeNDEF(message(5, seed: number))
                #expect(try Type4Tag(on: recording(card)).readNDEF() == message(5, seed: number))
            }
        }
    }
}
