// FeliCa commands on a card with two systems — CoreNFC NFCFeliCaTag; FeliCa Card User's Manual

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct FeliCaTagTests {
    /// A service of 20 blocks that may be read without a key, and one that may be written without a key, both in the
    /// first system.
    private let history = data("0F09")
    private let pad = data("0910")

    @Test(arguments: [([], "0003"), (["0003"], "0003"), (["12FC", "0003"], "12FC"), (["FE00", "12FC"], "12FC")])
    func theFirstListedSystemThatTheCardHasIsCurrent(_ codes: [String], _ expected: String) async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()], systemCodes: codes)
        let tag = try await bench.feliCa()
        #expect(tag.currentSystemCode.hex == expected)
        #expect(tag.currentIDm.count == 8)
        #expect(tag.type == .feliCa && tag.asNFCFeliCaTag() != nil && tag.asNFCMiFareTag() == nil)
        try await bench.end()
    }

    @Test func aCardWithoutAListedSystemIsPassedOver() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()], systemCodes: ["FE00"])
        try await bench.beginPassingOver()
        try await bench.end()
        #expect(bench.events.all == [.active, .ended(200)])
    }

    @Test func pollingSelectsAnotherSystem() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        let first = tag.currentIDm
        #expect(try await tag.requestSystemCode().map(\.hex) == ["0003", "12FC"])
        let (parameter, requested) = try await tag.polling(
            systemCode: data("12FC"), requestCode: .systemCode, timeSlot: .max1)
        #expect(parameter.count == 8)
        #expect(requested.hex == "12FC")
        #expect(tag.currentSystemCode.hex == "12FC")
        #expect(tag.currentIDm != first && tag.currentIDm.dropFirst() == first.dropFirst())
        #expect(
            await code { _ = try await tag.polling(systemCode: data("FE00"), requestCode: .noRequest, timeSlot: .max1) }
                == 102)
        #expect(tag.isAvailable)
        try await bench.end()
    }

    @Test func blocksAreReadAndWritten() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        let block = Data(0..<16)
        let written = try await tag.writeWithoutEncryption(
            serviceCodeList: [pad], blockList: [data("8001")], blockData: [block])
        #expect(written == (0, 0))
        let read = try await tag.readWithoutEncryption(
            serviceCodeList: [pad, history], blockList: [data("8001"), data("8100"), data("01 01 00")])
        #expect((read.0, read.1) == (0, 0))
        #expect(read.2.count == 3 && read.2[0] == block)
        try await bench.end()
    }

    @Test func statusFlagsAreNoError() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        let read = try await tag.readWithoutEncryption(serviceCodeList: [history], blockList: [data("80F0")])
        #expect(read.0 != 0 && read.1 != 0 && read.2.isEmpty)
        let written = try await tag.writeWithoutEncryption(
            serviceCodeList: [history], blockList: [data("8000")], blockData: [Data(count: 16)])
        #expect(written.0 != 0)
        try await bench.end()
    }

    @Test func theOtherCommandsAreAnswered() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        let versions = try await tag.requestService(nodeCodeList: [history, data("FFEE")])
        #expect(versions.count == 2 && versions[0].hex != "FFFF" && versions[1].hex == "FFFF")
        #expect(try await tag.requestResponse() == 0)
        let (flag1, flag2, encryption, aes, des) = try await tag.requestServiceV2(nodeCodeList: [history])
        #expect((flag1, flag2) == (0, 0))
        #expect(aes.count == 1 && des.count == (encryption == .AES_DES ? 1 : 0))
        let version = try await tag.requestSpecificationVersion()
        #expect((version.0, version.1) == (0, 0) && version.2.count == 2 && version.3.count.isMultiple(of: 2))
        #expect(try await tag.resetMode() == (0, 0))
        let answer = try await tag.sendFeliCaCommand(commandPacket: data("04") + tag.currentIDm)
        #expect(answer.hex == "05" + tag.currentIDm.hex + "00")
        try await bench.end()
    }

    @Test func whatNoCardCouldTakeIsRefusedBeforeItIsSent() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        let node = history
        let before = bench.reader.statistics.tagCommands
        #expect(await code { _ = try await tag.requestService(nodeCodeList: []) } == 5)
        #expect(await code { _ = try await tag.requestService(nodeCodeList: Array(repeating: node, count: 33)) } == 5)
        #expect(await code { _ = try await tag.requestService(nodeCodeList: [Data([1])]) } == 4)
        #expect(
            await code { _ = try await tag.readWithoutEncryption(serviceCodeList: [node], blockList: [Data([1])]) } == 4
        )
        #expect(
            await code {
                _ = try await tag.writeWithoutEncryption(
                    serviceCodeList: [node], blockList: [data("8000")], blockData: [Data(count: 15)])
            } == 4)
        #expect(
            await code { _ = try await tag.polling(systemCode: data("FFFF"), requestCode: .noRequest, timeSlot: .max1) }
                == 3)
        #expect(
            await code { _ = try await tag.polling(systemCode: data("12"), requestCode: .noRequest, timeSlot: .max1) }
                == 4)
        #expect(await code { _ = try await tag.sendFeliCaCommand(commandPacket: Data()) } == 4)
        #expect(await code { _ = try await tag.sendFeliCaCommand(commandPacket: Data(count: 255)) } == 105)
        #expect(bench.reader.statistics.tagCommands == before)
        try await bench.end()
    }

    @Test func aCardThatLeftGives100() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        bench.reader.field.remove()
        #expect(await code { _ = try await tag.requestResponse() } == 100)
        #expect(!tag.isAvailable)
        try await bench.end()
    }

    @Test func ndefOperationsFindTheirSystemByThemselves() async throws {
        let bench = try TagSessionBench([VirtualTagKind.feliCaStandard.make()])
        let tag = try await bench.feliCa()
        try await tag.writeNDEF(message("hello"))
        #expect(try await tag.readNDEF().text == "hello")
        // The system that the program selected is still selected.
        #expect(try await tag.requestService(nodeCodeList: [history])[0].hex != "FFFF")
        try await bench.end()
    }
}
