// ISO 15693 tags on readers with different commands, through the real pcscd — CoreNFC NFCISO15693Tag

import CoreNFC
import Foundation
import Testing
import VirtualPCSC

private struct PCSCBench: @unchecked Sendable {
    let tag: VirtualISO15693Tag
    let daemon: PrivatePCSCDaemon
    let delegate = NativeTagDelegate()
    let session: NFCTagReaderSession

    init(_ model: PCSCReaderModel, _ chip: ISO15693Chip) throws {
        tag = VirtualISO15693Tag(chip: chip, isFormatted: true)
        let reader = VirtualPCSCReader(model: model, tags: [tag])
        daemon = try PrivatePCSCDaemon(readers: [reader])
        daemon.serveThisProcess()
        session = try #require(NFCTagReaderSession(pollingOption: .iso15693, delegate: delegate))
        session.readerSpecification = "pcsc:\(reader.friendlyName)"
    }

    func connectedTag() async throws -> any NFCISO15693Tag {
        session.begin()
        try await delegate.events.wait(for: .detected(1))
        let found = try #require(delegate.tags.first)
        try await session.connect(to: found)
        guard case .iso15693(let tag) = found else { throw TagSessionBench.OtherKind() }
        return tag
    }

    func end() async throws {
        session.invalidate()
        try await delegate.events.wait(for: .ended(200))
        daemon.stop()
    }
}

/// One test after the other, because libpcsclite supports one daemon per process.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: PrivatePCSCDaemon.isAvailable))
struct PCSCVicinityTests {
    private static let fast: NFCISO15693RequestFlag = .highDataRate

    @Test(arguments: [ISO15693Chip.icodeSLIX2, .st25DV04K]) func allCommandsReachATag(_ chip: ISO15693Chip) async throws
    {
        let bench = try PCSCBench(.acr1552u, chip)
        let tag = try await bench.connectedTag()
        #expect(tag.identifier == Data(bench.tag.uid))
        let info = try await tag.systemInfo(requestFlags: Self.fast)
        #expect(info.uniqueIdentifier == Data(bench.tag.uid.reversed()))
        #expect(info.totalBlocks == chip.blockCount && info.blockSize == chip.blockSize)
        let block = Data([1, 2, 3, 4])
        try await tag.writeSingleBlock(requestFlags: Self.fast, blockNumber: 9, dataBlock: block)
        #expect(bench.tag.contents[36..<40].elementsEqual(block))
        let range = NSRange(location: 0, length: 64)
        let blocks = try await tag.readMultipleBlocks(requestFlags: [Self.fast, .option], blockRange: range)
        #expect(Data(blocks.map { $0.dropFirst() }.joined()) == Data(bench.tag.contents.prefix(256)))
        try await tag.writeAFI(requestFlags: Self.fast, afi: 0x21)
        try await tag.writeDSFID(requestFlags: Self.fast, dsfid: 0x22)
        #expect(bench.tag.afi == 0x21 && bench.tag.dsfid == 0x22)
        try await tag.select(requestFlags: Self.fast)
        #expect(try await tag.readSingleBlock(requestFlags: [Self.fast, .select], blockNumber: 9) == block)
        try await tag.resetToReady(requestFlags: Self.fast)
        try await tag.stayQuiet()
        #expect(try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 9) == block)
        let missing = await failure { _ = try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 250) }
        #expect(missing?.errorCode == 102 && missing?.userInfo[NFCISO15693TagResponseErrorKey] is Int)
        try await bench.end()
    }

    @Test func customCommandsOfBothMakersWork() async throws {
        let slix2 = try PCSCBench(.acr1552u, .icodeSLIX2)
        let label = try await slix2.connectedTag()
        // GET RANDOM NUMBER
        #expect(
            try await label.customCommand(
                requestFlags: Self.fast, customCommandCode: 0xB2, customRequestParameters: Data()
            ).count == 2)
        try await slix2.end()
        let st25dv = try PCSCBench(.acr1552u, .st25DV04K)
        let sensor = try await st25dv.connectedTag()
        // Read Configuration
        #expect(
            try await sensor.customCommand(
                requestFlags: Self.fast, customCommandCode: 0xA0, customRequestParameters: Data([0])
            ).count == 1)
        try await st25dv.end()
    }

    @Test(arguments: [PCSCReaderModel.acr1552u, .utrust3721f, .omnikey5022])
    func messagesAreWrittenAndRead(_ model: PCSCReaderModel) async throws {
        let bench = try PCSCBench(model, .icodeSLIX2)
        let tag = try await bench.connectedTag()
        #expect(try await tag.queryNDEFStatus().0 == .readWrite)
        try await tag.writeNDEF(message("below pcscd"))
        #expect(try await tag.readNDEF().text == "below pcscd")
        try await bench.end()
    }

    /// The reader's dialect supports only reading and writing blocks.
    @Test func whatAReaderCannotSendIsUnsupported() async throws {
        let bench = try PCSCBench(.omnikey5022, .icodeSLIX2)
        let tag = try await bench.connectedTag()
        #expect(try await tag.readSingleBlock(requestFlags: Self.fast, blockNumber: 0).count == 4)
        #expect(await code { try await tag.select(requestFlags: Self.fast) } == 1)
        #expect(await code { _ = try await tag.readSingleBlock(requestFlags: [], blockNumber: 0) } == 1)
        #expect(
            await code { _ = try await tag.readSingleBlock(requestFlags: [Self.fast, .option], blockNumber: 0) } == 1)
        try await bench.end()
    }

    @Test func aReaderWithoutTheRadioEndsTheSession() async throws {
        let bench = try PCSCBench(.acr1252u, .icodeSLIX2)
        bench.session.begin()
        #expect(try await bench.delegate.events.next() == .ended(1))
        bench.daemon.stop()
    }
}
