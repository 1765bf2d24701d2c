// Failures on an ISO 15693 tag, and their codes — CoreNFC NFCReaderError, NFCISO15693TagResponseErrorKey

import CoreNFC
import Foundation
import ReaderInterface
import TagTypes
import Testing
import VicinityReaders

private struct Mistake: CustomTestStringConvertible, Sendable {
    let name: String
    let code: Int
    let call: @Sendable (any NFCISO15693Tag) async throws -> Void

    init(_ name: String, _ code: Int, call: @escaping @Sendable (any NFCISO15693Tag) async throws -> Void) {
        (self.name, self.code, self.call) = (name, code, call)
    }

    var testDescription: String { name }

    static let fast: NFCISO15693RequestFlag = .highDataRate
    static let block = Data([1, 2, 3, 4])

    static func read(_ location: Int, _ length: Int) -> @Sendable (any NFCISO15693Tag) async throws -> Void {
        let range = NSRange(location: location, length: length)
        return { _ = try await $0.readMultipleBlocks(requestFlags: fast, blockRange: range) }
    }

    static let all: [Mistake] = [
        Mistake("no block", 5, call: read(0, 0)),
        Mistake("257 blocks", 5, call: read(0, 257)),
        Mistake("first block 256", 5, call: read(256, 1)),
        Mistake("no range", 5, call: read(NSNotFound, 1)),
        Mistake("a range that overflows", 5, call: read(1, Int.max)),
        Mistake("extended block 65536", 5) {
            _ = try await $0.extendedReadSingleBlock(requestFlags: fast, blockNumber: 65536)
        },
        Mistake("extended block -1", 5) { try await $0.extendedLockBlock(requestFlags: fast, blockNumber: -1) },
        Mistake("an empty block", 4) {
            try await $0.writeSingleBlock(requestFlags: fast, blockNumber: 0, dataBlock: Data())
        },
        Mistake("a block of 33 bytes", 4) {
            try await $0.writeSingleBlock(requestFlags: fast, blockNumber: 0, dataBlock: Data(count: 33))
        },
        Mistake("one block for two", 4) {
            try await $0.writeMultipleBlocks(
                requestFlags: fast, blockRange: NSRange(location: 0, length: 2), dataBlocks: [block])
        },
        Mistake("blocks of two sizes", 4) {
            try await $0.writeMultipleBlocks(
                requestFlags: fast, blockRange: NSRange(location: 0, length: 2), dataBlocks: [block, Data([1])])
        },
        Mistake("a frame over 256 bytes", 105) {
            try await $0.writeMultipleBlocks(
                requestFlags: fast, blockRange: NSRange(location: 0, length: 64),
                dataBlocks: [Data](repeating: block, count: 64))
        },
        Mistake("a custom command that is a standard one", 5) {
            _ = try await $0.customCommand(
                requestFlags: fast, customCommandCode: 0x20, customRequestParameters: Data())
        },
        Mistake("a custom command beyond the range", 5) {
            _ = try await $0.customCommand(
                requestFlags: fast, customCommandCode: 0xE0, customRequestParameters: Data())
        },
        Mistake("an identifier of two bytes", 5) {
            _ = try await $0.authenticate(requestFlags: fast, cryptoSuiteIdentifier: 256, message: Data())
        },
        Mistake("request flags of two bytes", 5) {
            _ = try await $0.sendRequest(requestFlags: 256, commandCode: 0x20, data: nil)
        },
        Mistake("a negative command", 5) {
            _ = try await $0.sendRequest(requestFlags: 2, commandCode: -1, data: nil)
        },
        Mistake("a request over 256 bytes", 105) {
            _ = try await $0.sendRequest(requestFlags: 2, commandCode: 0xB0, data: Data(count: 255))
        },
        Mistake("the inventory flag", 3) {
            _ = try await $0.readSingleBlock(requestFlags: NFCISO15693RequestFlag(rawValue: 0x06), blockNumber: 0)
        },
        Mistake("a command of iOS 11", 1) { tag in
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                tag.sendCustomCommand(
                    commandConfiguration: .init(manufacturerCode: 4, customCommandCode: 0xA0, requestParameters: nil)
                ) { done.resume(with: $1.map { .failure($0) } ?? .success(())) }
            }
        },
    ]
}

@Suite(.timeLimit(.minutes(5))) struct VicinityErrorTests {
    private static let fast: NFCISO15693RequestFlag = .highDataRate

    @Test(arguments: Mistake.all) fileprivate func aMistakeIsNotSent(_ mistake: Mistake) async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        #expect(await code { try await mistake.call(tag) } == mistake.code)
        #expect(bench.tag.frames.isEmpty)
        try await bench.end()
    }

    @Test func theTagsOwnErrorHasItsByte() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        let error = await failure { _ = try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 99) }
        #expect(error?.code == .readerTransceiveErrorTagResponseError)
        #expect(error?.userInfo[NFCISO15693TagResponseErrorKey] as? Int == 0x10)
        #expect(error?.userInfo[NFCISO15693TagResponseErrorKey] as? NSNumber == 0x10)
        try await tag.lockBlock(requestFlags: Self.fast, blockNumber: 2)
        let again = await failure { try await tag.lockBlock(requestFlags: Self.fast, blockNumber: 2) }
        #expect(again?.userInfo[NFCISO15693TagResponseErrorKey] as? Int == 0x11)
        let write = await failure {
            try await tag.writeSingleBlock(requestFlags: Self.fast, blockNumber: 2, dataBlock: Data(count: 4))
        }
        #expect(write?.userInfo[NFCISO15693TagResponseErrorKey] as? Int == 0x12)
        try await bench.end()
    }

    @Test func aTagThatLeftIsLostAndThenNotConnected() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        bench.desk.tags = []
        let read = { _ = try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0) }
        #expect(await code(read) == 100)
        #expect(!tag.isAvailable)
        #expect(await code(read) == 104)
        try await bench.end()
        #expect(await code(read) == 103)
    }

    @Test func aTagThatDoesNotHearIsNoAnswer() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        bench.tag.fail(.hearsNothing(1))
        #expect(await code { _ = try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0) } == 102)
        #expect(try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0).count == 4)
        try await bench.end()
    }

    @Test func aCommandThatTheReaderCannotSendIsUnsupported() async throws {
        let bench = try VicinityBench(missingCommands: [0xB2])
        let tag = try await bench.connectedTag()
        let error = await failure {
            _ = try await tag.customCommand(
                requestFlags: Self.fast, customCommandCode: 0xB2, customRequestParameters: Data())
        }
        #expect(error?.code == .readerErrorUnsupportedFeature)
        let cause = TagError.reader(.cannotSend(command: 0xB2, reader: bench.desk.connection))
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? TagError == cause)
        #expect(bench.tag.frames.isEmpty)
        try await bench.end()
    }

    // MARK: Answers that are lost

    @Test func aWriteWhoseAnswerIsLostIsReadBack() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        let block = Data([1, 2, 3, 4])
        bench.tag.fail(.losesAnswers(1))
        try await tag.writeSingleBlock(requestFlags: [Self.fast, .option], blockNumber: 1, dataBlock: block)
        #expect(bench.tag.frames.map { $0[0] } == [0x62, 0x22])
        bench.tag.fail(.losesAnswers(1))
        try await tag.extendedWriteMultipleBlocks(
            requestFlags: Self.fast, blockRange: NSRange(location: 2, length: 2), dataBlocks: [block, block])
        #expect(bench.tag.memory[4..<16].elementsEqual(block + block + block))
        bench.tag.fail(.losesAnswers(1))
        try await tag.writeAFI(requestFlags: Self.fast, afi: 5)
        bench.tag.fail(.losesAnswers(1))
        try await tag.writeDSFID(requestFlags: Self.fast, dsfid: 6)
        #expect(bench.tag.fields == (5, 6))
        try await bench.end()
    }

    @Test func aLockWhoseAnswerIsLostIsLookedFor() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        bench.tag.fail(.losesAnswers(1))
        try await tag.lockBlock(requestFlags: Self.fast, blockNumber: 3)
        #expect(bench.tag.lockedBlocks == [3])
        bench.tag.fail(.losesAnswers(1))
        try await tag.lockAFI(requestFlags: Self.fast)
        bench.tag.fail(.losesAnswers(1))
        try await tag.lockDSFID(requestFlags: Self.fast)
        #expect(await code { try await tag.writeAFI(requestFlags: Self.fast, afi: 1) } == 102)
        try await bench.end()
    }

    @Test func aWriteThatDidNotHappenIsNoSuccess() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        bench.tag.fail(.hearsNothing(1))
        let block = Data([1, 2, 3, 4])
        #expect(
            await code { try await tag.writeSingleBlock(requestFlags: Self.fast, blockNumber: 1, dataBlock: block) }
                == 102)
        bench.tag.fail(.hearsNothing(1))
        #expect(await code { try await tag.lockBlock(requestFlags: Self.fast, blockNumber: 1) } == 102)
        bench.tag.fail(.hearsNothing(2))
        #expect(await code { try await tag.lockAFI(requestFlags: Self.fast) } == 102)
        try await bench.end()
    }
}
