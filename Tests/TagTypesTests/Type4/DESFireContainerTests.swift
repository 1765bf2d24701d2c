// The capability container of a DESFire whose initialisation was interrupted, and files that do not count as one
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct DESFireContainerTests {
    private func tag(_ card: DESFireCard) -> Type4Tag { Type4Tag(on: RecordingChannel(card, target: .type4)) }

    private func initialised() throws -> DESFireCard {
        let card = DESFireCard()
        try tag(card).initialise()
        return card
    }

    /// A torn write leaves the first part of its data: the capability container without CCLEN, followed by CCLEN.
    @Test(arguments: 0...14) func aTornContainerIsFinished(length: Int) throws {
        let card = try initialised()
        let done = card.ndef?.files[1]?.bytes ?? []
        var torn = [UInt8](repeating: 0, count: done.count)
        for place in (Array(2..<15) + [0, 1]).prefix(length) { torn[place] = done[place] }
        card.ndef?.files[1]?.bytes = torn
        #expect(try tag(card).detect().isBlank)
        try tag(card).initialise()
        #expect(card.ndef?.files[1]?.bytes == done)
        #expect(try tag(card).detect().messageLength == 0)
    }

    @Test("A tag that once refuses to select its NDEF file does not count as blank")
    func refusedSelect() throws {
        let card = RefusingOnce(try initialised(), bytes("00A4000C02E104"))
        let tag = Type4Tag(on: RecordingChannel(card, target: .type4))
        #expect(
            error { () throws(TagError) in try tag.detect() }
                == .commandFailed(command: "SELECT of file E104", offset: nil, sw: 0x6A82))
        #expect(try tag.detect().messageLength == 0)
    }

    /// A card that answers 6A82 to the first command that begins with these bytes.
    private final class RefusingOnce: Card {
        private let card: DESFireCard
        private var refused: [UInt8]?

        init(_ card: DESFireCard, _ refused: [UInt8]) { (self.card, self.refused) = (card, refused) }

        func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
            guard let refused, command.starts(with: refused) else { return card.answer(command, framing: framing) }
            self.refused = nil
            return bytes("6A82")
        }

        func reset() { card.reset() }
    }
}
