// States of a tag, and sizes of blocks and of the reader's answers — ISO/IEC 15693-3, VICC states; CoreNFC
// NFCISO15693Tag

import CoreNFC
import Foundation
import Testing
import VicinityReaders

@Suite(.timeLimit(.minutes(5))) struct VicinityStateTests {
    private static let fast: NFCISO15693RequestFlag = .highDataRate
    private static let selected: NFCISO15693RequestFlag = [.highDataRate, .select]
    private static let otherUID: [UInt8] = [0xE0, 0x02, 0x24, 0, 0, 0, 0, 1]

    @Test func onlyTheSelectedTagObeysTheSelectFlag() async throws {
        let other = VicinityTag(uid: Self.otherUID)
        let bench = try VicinityBench(others: [other])
        let tag = try await bench.connectedTag()
        #expect(await code { _ = try await tag.readSingleBlock(requestFlags: Self.selected, blockNumber: 0) } == 102)
        try await tag.select(requestFlags: Self.fast)
        let block = Data([1, 2, 3, 4])
        try await tag.writeSingleBlock(requestFlags: Self.selected, blockNumber: 0, dataBlock: block)
        #expect(bench.tag.memory.prefix(4).elementsEqual(block))
        #expect(other.memory.allSatisfy { $0 == 0 })
        try await tag.resetToReady(requestFlags: Self.selected)
        #expect(await code { _ = try await tag.readSingleBlock(requestFlags: Self.selected, blockNumber: 0) } == 102)
        try await bench.end()
    }

    @Test func aQuietTagObeysItsAddressAndIsNotFoundAgain() async throws {
        let other = VicinityTag(uid: Self.otherUID)
        let bench = try VicinityBench(others: [other])
        let tag = try await bench.connectedTag()
        try await tag.stayQuiet()
        #expect(try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0).count == 4)
        bench.session.restartPolling()
        #expect(try await bench.delegate.events.next() == .detected(1))
        guard case .iso15693(let found)? = bench.delegate.tags.first else { throw TagSessionBench.OtherKind() }
        #expect(found.identifier == Data(Self.otherUID))
        try await bench.end()
    }

    @Test(arguments: [1, 4, 5, 8, 32]) func blocksOfEverySizeComeWhole(_ size: Int) async throws {
        let tag = VicinityTag(blockCount: 8, blockSize: size)
        tag.memory = (0..<8 * size).map { UInt8(truncatingIfNeeded: $0) }
        let bench = try VicinityBench(tag)
        let found = try await bench.connectedTag()
        let blocks = try await found.readMultipleBlocks(
            requestFlags: [.highDataRate, .option], blockRange: NSRange(location: 0, length: 6))
        #expect(blocks.map(\.count) == [Int](repeating: size + 1, count: 6))
        #expect(Data(blocks.map { $0.dropFirst() }.joined()) == Data(tag.memory.prefix(6 * size)))
        try await bench.end()
    }

    /// An ICODE omits the blocks that it does not have.
    @Test(arguments: [(26, 4), (24, 6), (20, 16)]) func blocksBeyondTheMemoryAreLeftOut(
        _ first: Int, _ count: Int
    ) async throws {
        let bench = try VicinityBench()
        bench.tag.truncateReads()
        let tag = try await bench.connectedTag()
        let blocks = try await tag.readMultipleBlocks(
            requestFlags: Self.fast, blockRange: NSRange(location: first, length: count))
        #expect(blocks.map(\.count) == [Int](repeating: 4, count: 28 - first))
        try await bench.end()
    }

    @Test(arguments: [false, true]) func aReadIsDividedWhereTheReaderHasNoRoomForIt(_ hasSecurity: Bool) async throws {
        let tag = VicinityTag(blockCount: 64)
        tag.memory = (0..<256).map { UInt8(truncatingIfNeeded: $0) }
        let bench = try VicinityBench(tag, longestAnswer: 65)
        let found = try await bench.connectedTag()
        let flags: NFCISO15693RequestFlag = hasSecurity ? [.highDataRate, .option] : .highDataRate
        let blocks = try await found.readMultipleBlocks(
            requestFlags: flags, blockRange: NSRange(location: 0, length: 64))
        #expect(blocks.count == 64)
        #expect(Data(blocks.map { $0.suffix(4) }.joined()) == Data(tag.memory))
        // One read shows the block size. The following reads request as many blocks as fit into an answer.
        #expect(tag.frames.count == 1 + (hasSecurity ? 6 : 4))
        try await bench.end()
    }

    @Test func anAnswerOfAnotherLengthIsNamedSo() async throws {
        let tag = VicinityTag { code, _ in code == 0xA0 ? [] : [0x00] }
        let bench = try VicinityBench(tag)
        let found = try await bench.connectedTag()
        let noFlags = await failure {
            _ = try await found.customCommand(
                requestFlags: Self.fast, customCommandCode: 0xA0, customRequestParameters: Data())
        }
        #expect(noFlags?.code == .readerTransceiveErrorTagResponseError)
        #expect(
            try await found.customCommand(
                requestFlags: Self.fast, customCommandCode: 0xA1, customRequestParameters: Data()
            ).isEmpty)
        try await bench.end()
    }

    @Test func commandsRunInTheOrderOfTheirCallsWithoutWaitingForTheConnection() async throws {
        let bench = try VicinityBench()
        bench.session.begin()
        try await bench.delegate.events.wait(for: .detected(1))
        let found = try #require(bench.delegate.tags.first)
        guard case .iso15693(let tag) = found else { throw TagSessionBench.OtherKind() }
        let answers = Events<String>()
        #expect(await code { _ = try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0) } == 104)
        bench.session.connect(to: found) { answers.record("connected \($0 == nil)") }
        tag.writeSingleBlock(requestFlags: Self.fast, blockNumber: 1, dataBlock: Data([1, 2, 3, 4])) {
            answers.record("written \($0 == nil)")
        }
        tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 1) { answers.record("\($0.hex) \($1 == nil)") }
        for expected in ["connected true", "written true", "01020304 true"] {
            #expect(try await answers.next() == expected)
        }
        try await bench.end()
    }
}
