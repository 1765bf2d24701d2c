// Every command of an ISO 15693 tag as a frame, and its answer as Apple's types — CoreNFC NFCISO15693Tag,
// ISO/IEC 15693-3

import CoreNFC
import Foundation
import Testing
import VicinityReaders

private struct Command: CustomTestStringConvertible, Sendable {
    let frame: String
    let answer: String
    let call: @Sendable (any NFCISO15693Tag) async throws -> String

    init(
        _ frame: String, _ answer: String, call: @escaping @Sendable (any NFCISO15693Tag) async throws -> String
    ) {
        (self.frame, self.answer, self.call) = (frame, answer, call)
    }

    /// Creates a command whose answer contains no data.
    init(_ frame: String, call: @escaping @Sendable (any NFCISO15693Tag) async throws -> Void) {
        self.init(frame, "") { tag in
            try await call(tag)
            return ""
        }
    }

    var testDescription: String { frame }

    static let fast: NFCISO15693RequestFlag = .highDataRate
    static let range = NSRange(location: 1, length: 2)
    static let block = Data([9, 8, 7, 6])
    static let blocks = [block, block]
    static let message = Data([1, 2])

    static let all: [Command] = [
        Command("22 02 U") { try await $0.stayQuiet() },
        Command("22 20 U 01", "04050607") {
            try await $0.readSingleBlock(requestFlags: fast, blockNumber: 1).hex
        },
        Command("22 21 U 01 09080706") {
            try await $0.writeSingleBlock(requestFlags: fast, blockNumber: 1, dataBlock: block)
        },
        Command("22 22 U 01") { try await $0.lockBlock(requestFlags: fast, blockNumber: 1) },
        Command("22 23 U 01 01", "04050607,08090A0B") {
            text(try await $0.readMultipleBlocks(requestFlags: fast, blockRange: range))
        },
        Command("22 24 U 01 01 09080706 09080706") {
            try await $0.writeMultipleBlocks(requestFlags: fast, blockRange: range, dataBlocks: blocks)
        },
        Command("22 25 U") { try await $0.select(requestFlags: fast) },
        Command("22 26 U") { try await $0.resetToReady(requestFlags: fast) },
        Command("22 27 U 07") { try await $0.writeAFI(requestFlags: fast, afi: 7) },
        Command("22 28 U") { try await $0.lockAFI(requestFlags: fast) },
        Command("22 29 U 07") { try await $0.writeDSFID(requestFlags: fast, dsfid: 7) },
        Command("22 2A U") { try await $0.lockDSFID(requestFlags: fast) },
        // The identifier arrives in the tag's byte order, last byte first.
        Command("22 2B U", "44332211500104E0 0 0 1") {
            let info = try await $0.systemInfo(requestFlags: fast)
            return "\(info.uniqueIdentifier.hex) \(info.dataStorageFormatIdentifier) "
                + "\(info.applicationFamilyIdentifier) \(info.icReference)"
        },
        Command("22 2C U 01 01", "0,0") {
            try await $0.getMultipleBlockSecurityStatus(requestFlags: fast, blockRange: range)
                .map(\.stringValue).joined(separator: ",")
        },
        Command("22 2D U 01 01", "04050607,08090A0B") {
            text(try await $0.fastReadMultipleBlocks(requestFlags: fast, blockRange: range))
        },
        Command("22 30 U 2A01", "A8A9AAAB") {
            try await $0.extendedReadSingleBlock(requestFlags: fast, blockNumber: 298).hex
        },
        Command("22 31 U 2A01 09080706") {
            try await $0.extendedWriteSingleBlock(requestFlags: fast, blockNumber: 298, dataBlock: block)
        },
        Command("22 32 U 2A01") { try await $0.extendedLockBlock(requestFlags: fast, blockNumber: 298) },
        Command("22 33 U 2A01 0100", "A8A9AAAB,ACADAEAF") {
            text(
                try await $0.extendedReadMultipleBlocks(
                    requestFlags: fast, blockRange: NSRange(location: 298, length: 2)))
        },
        Command("22 34 U 0100 0100 09080706 09080706") {
            try await $0.extendedWriteMultipleBlocks(requestFlags: fast, blockRange: range, dataBlocks: blocks)
        },
        Command("22 35 U 05 0102", "6 0201") {
            let (flag, data) = try await $0.authenticate(
                requestFlags: fast, cryptoSuiteIdentifier: 5, message: message)
            return "\(flag.rawValue) \(data.hex)"
        },
        Command("22 36 U 05 0102", "6 0201") {
            let (flag, data) = try await $0.keyUpdate(requestFlags: fast, keyIdentifier: 5, message: message)
            return "\(flag.rawValue) \(data.hex)"
        },
        Command("22 3A U", "2 0102") {
            try await $0.challenge(requestFlags: fast, cryptoSuiteIdentifier: 5, message: message)
            let (flag, data) = try await $0.readBuffer(requestFlags: fast)
            return "\(flag.rawValue) \(data.hex)"
        },
        Command("22 39 U 05 0102") {
            try await $0.challenge(requestFlags: fast, cryptoSuiteIdentifier: 5, message: message)
        },
        Command("22 3C U 0100 0100", "[0, 0]") {
            "\(try await $0.extendedGetMultipleBlockSecurityStatus(requestFlags: fast, blockRange: range).blockSecurityStatus)"
        },
        Command("22 3D U 0100 0100", "04050607,08090A0B") {
            text(try await $0.extendedFastReadMultipleBlocks(requestFlags: fast, blockRange: range))
        },
        Command("22 B2 04 U 0102", "B20102") {
            try await $0.customCommand(
                requestFlags: fast, customCommandCode: 0xB2, customRequestParameters: message
            ).hex
        },
        Command("02 20 05", "0 14151617") {
            let (flag, data) = try await $0.sendRequest(requestFlags: 0x02, commandCode: 0x20, data: Data([5]))
            return "\(flag.rawValue) \(data?.hex ?? "nil")"
        },
        Command("02 26", "0 ") {
            let (flag, data) = try await $0.sendRequest(requestFlags: 0x02, commandCode: 0x26, data: nil)
            return "\(flag.rawValue) \(data?.hex ?? "nil")"
        },
        // The app also receives error responses.
        Command("02 7F", "1 01") {
            let (flag, data) = try await $0.sendRequest(requestFlags: 0x02, commandCode: 0x7F, data: nil)
            return "\(flag.rawValue) \(data?.hex ?? "nil")"
        },
        // Flags of every kind are sent to the tag.
        Command("EB 20 U 01", "0004050607") {
            try await $0.readSingleBlock(
                requestFlags: [.dualSubCarriers, .highDataRate, .protocolExtension, .option, .commandSpecificBit8],
                blockNumber: 1
            ).hex
        },
        Command("60 23 U 01 01", "0004050607,0008090A0B") {
            text(try await $0.readMultipleBlocks(requestFlags: .option, blockRange: range))
        },
        Command("12 20 01", "04050607") {
            try await $0.select(requestFlags: fast)
            // The select flag turns the address flag off.
            return try await $0.readSingleBlock(requestFlags: [.highDataRate, .select, .address], blockNumber: 1).hex
        },
    ]
}

private func text(_ blocks: [Data]) -> String { blocks.map(\.hex).joined(separator: ",") }

@Suite(.timeLimit(.minutes(5))) struct VicinityFrameTests {
    @Test(arguments: Command.all) fileprivate func aCommandIsTheFrameOfTheStandard(_ command: Command) async throws {
        let tag = VicinityTag(blockCount: 300) { [0x00, $0] + $1 }
        tag.memory = (0..<1200).map { UInt8(truncatingIfNeeded: $0) }
        let bench = try VicinityBench(tag)
        let found = try await bench.connectedTag()
        #expect(try await command.call(found) == command.answer)
        let frame = command.frame.filter { $0 != " " }.replacing("U", with: VicinityBench.wireUID)
        #expect(tag.frames.last.map { Data($0).hex } == frame)
        try await bench.end()
    }

    @Test func aTagHasItsNumbers() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        #expect(tag.identifier.hex == "E004015011223344")
        #expect(tag.icManufacturerCode == 4)
        #expect(tag.icSerialNumber.hex == "015011223344")
        #expect(tag.type == .ISO15693)
        #expect(tag.asNFCISO15693Tag() === tag)
        #expect(tag.session === bench.session)
        #expect(tag.isAvailable)
        try await bench.end()
    }

    @Test func systemInformationHasWhatTheTagSays() async throws {
        let bench = try VicinityBench()
        let tag = try await bench.connectedTag()
        try await tag.writeAFI(requestFlags: .highDataRate, afi: 0x51)
        try await tag.writeDSFID(requestFlags: .highDataRate, dsfid: 0x52)
        let info = try await tag.systemInfo(requestFlags: .highDataRate)
        #expect(info.applicationFamilyIdentifier == 0x51 && info.dataStorageFormatIdentifier == 0x52)
        #expect(info.blockSize == 4 && info.totalBlocks == 28 && info.icReference == 1)
        try await bench.end()
        // The number of blocks does not fit into one byte.
        let large = try VicinityBench(VicinityTag(blockCount: 300))
        let largeInfo = try await large.connectedTag().systemInfo(requestFlags: .highDataRate)
        #expect(largeInfo.blockSize == -1 && largeInfo.totalBlocks == -1 && largeInfo.icReference == 1)
        try await large.end()
    }
}
