// The cost of a read and a write, in exchanges with the chip after activation — libnfc-pn53x.md, the figures to beat

import CoreNFC
import Testing
import VirtualPN532

@Suite struct ExchangeTests {
    /// Returns a message of this many bytes with one text record.
    ///
    /// Status and language take 3 bytes, and header and length 4 or 7.
    private func message(of letter: Character, length: Int = 800) throws -> NFCNDEFMessage {
        let overhead = length > 262 ? 10 : 7
        let message = try CoreNFCTests.message(String(repeating: letter, count: length - overhead))
        try #require(message.length == length)
        return message
    }

    /// Returns the number of exchanges for a status query and an operation on a tag that holds this many bytes.
    private func exchanges(
        _ kind: VirtualTagKind, length: Int = 800, _ operation: (SessionTag) async throws -> Void
    ) async throws -> Statistics {
        let bench = try Bench([kind.make()])
        try await bench.connectedTag().writeNDEF(message(of: "a", length: length))
        bench.session.restartPolling()
        let tag = try #require(try await bench.tags().first)
        try await bench.session.connect(to: tag)
        bench.reader.resetStatistics()
        _ = try await tag.queryNDEFStatus()
        try await operation(tag)
        let statistics = bench.reader.statistics
        try await bench.end()
        // The chip received no other command in between.
        #expect(statistics.exchanges == statistics.tagExchanges + statistics.registerExchanges)
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

    @Test(arguments: [(VirtualTagKind.ntag216, 209), (.type4, 17)])
    func writing800BytesOverOldOnesCostsWithProof(kind: VirtualTagKind, count: Int) async throws {
        let statistics = try await exchanges(kind) { tag in
            try await tag.writeNDEF(message(of: "b"))
        }
        #expect(statistics.exchanges == count)
    }

    @Test(arguments: [(VirtualTagKind.topaz96, 90, 2), (.topaz512, 460, 99)])
    func readingAType1TagCosts(kind: VirtualTagKind, length: Int, count: Int) async throws {
        let statistics = try await exchanges(kind, length: length) { tag in
            let read = try await tag.readNDEF().length
            #expect(read == length)
        }
        #expect(statistics.exchanges == count)
    }

    @Test(arguments: [(VirtualTagKind.topaz96, 90, 88), (.topaz512, 460, 222)])
    func writingAType1TagCostsWithProof(kind: VirtualTagKind, length: Int, count: Int) async throws {
        let statistics = try await exchanges(kind, length: length) { tag in
            try await tag.writeNDEF(message(of: "b", length: length))
        }
        #expect(statistics.exchanges == count)
    }
}

extension Statistics {
    /// The number of ReadRegister and WriteRegister commands, with which a Type 1 Tag's 8-byte commands are sent.
    fileprivate var registerExchanges: Int { commands[0x06, default: 0] + commands[0x08, default: 0] }
}
