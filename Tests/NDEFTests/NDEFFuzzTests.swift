import Chance
import NDEF
import Testing

/// The seeds are fixed.
///
/// Accepted input must survive a round trip, and every call must return.
@Suite struct NDEFFuzzTests {
    @Test func randomBytesNeverTrapAndAcceptedOnesRoundTrip() throws {
        var generator = SplitMix(state: 0x4E44_4546)
        var accepted = 0
        for _ in 0..<200_000 {
            // Header bytes and small numbers are more likely than others, so that decoding gets past the first header.
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { index -> UInt8 in
                switch index == 0 ? 0 : Int.random(in: 0..<4, using: &generator) {
                case 0: UInt8.random(in: 0...255, using: &generator) | (index == 0 ? 0x90 : 0x10)
                case 1: .random(in: 0...255, using: &generator)
                default: .random(in: 0...2, using: &generator)
                }
            }
            accepted += try roundTrip(bytes) ? 1 : 0
        }
        #expect(accepted > 400)
    }

    @Test func mutatedMessagesNeverTrapAndAcceptedOnesRoundTrip() throws {
        var generator = SplitMix(state: 0x464F_5255)
        let seeds = (canonicalMessages + otherMessages).map(\.bytes).filter { $0.count < 128 } + contentMessages
        var accepted = 0
        for _ in 0..<100_000 {
            guard var bytes = seeds.randomElement(using: &generator) else { return }
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
            accepted += try roundTrip(bytes) ? 1 : 0
        }
        #expect(accepted > 400)
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(.random(in: 0...255, using: &generator), at: index)
        default: bytes.removeSubrange(index...)
        }
    }

    private func roundTrip(_ bytes: [UInt8]) throws -> Bool {
        guard let message = try? NDEFMessage(bytes: bytes) else { return false }
        let encoded = try message.encoded()
        #expect(encoded.count <= bytes.count)
        #expect(try NDEFMessage(bytes: encoded) == message)
        for record in message.records { try contentRoundTrip(record) }
        return true
    }

    /// Checks that decoded content that is encoded again decodes to the same content.
    ///
    /// The encoder may refuse content for which it is stricter than the decoder, such as a text without a language.
    private func contentRoundTrip(_ record: NDEFRecord) throws {
        let rewritten: NDEFRecord? =
            switch record.content {
            case .text(let text): text.language.isEmpty ? nil : try text.record()
            case .uri(let uri): uri.record()
            case .smartPoster(let poster):
                poster.titles.allSatisfy { !$0.language.isEmpty } ? try poster.record() : nil
            case .mime(let mime): try mime.record()
            case .external(let external): try external.record()
            case .app(let app): try app.record()
            case .absoluteURI(let uri): try uri.record()
            case .wifi(let wifi): try wifi.record()
            case .handover(let handover): try handover.record()
            case .handoverCarrier(let carrier): try carrier.record()
            case .bluetooth(let device): try device.record()
            case .signature(let signature): try signature.record()
            case .deviceInformation(let device): try device.record()
            case .empty, .unknown, .other, .malformed: nil
            }
        if let rewritten { #expect(rewritten.content == record.content) }
    }
}

private let contentMessages = (textRows.map(\.message) + [smartPosterBytes, wifiBytes] + deviceMessages)
