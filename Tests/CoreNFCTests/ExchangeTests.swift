// What a read and a write cost, in exchanges with the chip after activation — libnfc-pn53x.md, the figures to beat

import CoreNFC
import Testing
import VirtualPN532

@Suite struct ExchangeTests {
    /// A text record whose message measures 800 bytes: 3 bytes of status and language, 7 of header and length.
    private func message(of letter: Character) throws -> NFCNDEFMessage {
        let message = try CoreNFCTests.message(String(repeating: letter, count: 790))
        try #require(message.length == 800)
        return message
    }

    /// Exchanges of a status query and an operation on a tag that holds 800 bytes.
    private func exchanges(
        _ kind: VirtualTagKind, _ operation: (SessionTag) async throws -> Void
    ) async throws -> Statistics {
        let bench = try Bench([kind.make()])
        try await bench.connectedTag().writeNDEF(message(of: "a"))
        bench.session.restartPolling()
        let tag = try #require(try await bench.tags().first)
        try await bench.session.connect(to: tag)
        bench.reader.resetStatistics()
        _ = try await tag.queryNDEFStatus()
        try await operation(tag)
        let statistics = bench.reader.statistics
        try await bench.end()
        // Nothing else was asked of the chip meanwhile.
        #expect(statistics.exchanges == statistics.tagExchanges)
        return statistics
    }

    @Test(arguments: [(VirtualTagKind.ntag216, 6), (.type4, 9)])
    func reading800BytesCosts(kind: VirtualTagKind, count: Int) async throws {
        let statistics = try await exchanges(kind) { tag in
            let length = try await tag.readNDEF().length
            #expect(length == 800)
        }
        #expect(statistics.exchanges == count)
    }

    @Test(arguments: [(VirtualTagKind.ntag216, 209), (.type4, 16)])
    func writing800BytesOverOldOnesCostsWithProof(kind: VirtualTagKind, count: Int) async throws {
        let statistics = try await exchanges(kind) { tag in
            try await tag.writeNDEF(message(of: "b"))
        }
        #expect(statistics.exchanges == count)
    }
}
