// The types around ISO 15693: values, names old and new, configurations and their copies — CoreNFC NFCISO15693…

import CoreNFC
import Testing

@Suite(.timeLimit(.minutes(5))) struct ISO15693SignatureTests {
    @Test func requestFlagsHaveTheirBits() {
        let flags: [NFCISO15693RequestFlag] = [
            .dualSubCarriers, .highDataRate, .protocolExtension, .select, .address, .option, .commandSpecificBit8,
        ]
        let bits: [UInt8] = flags.map(\.rawValue)
        #expect(bits == [0x01, 0x02, 0x08, 0x10, 0x20, 0x40, 0x80])
        let alias: RequestFlag = [.address, .highDataRate]
        #expect(alias == NFCISO15693RequestFlag(rawValue: 0x22))
    }

    @Test func responseFlagsHaveTheirBits() {
        let flags: [NFCISO15693ResponseFlag] = [
            .error, .responseBufferValid, .finalResponse, .protocolExtension, .blockSecurityStatusBit5,
            .blockSecurityStatusBit6, .waitTimeExtension,
        ]
        let bits: [UInt8] = flags.map(\.rawValue)
        #expect(bits == [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40])
    }

    @Test func theNamesOfIOS11AreTheFlags() {
        let names = (OldNames() as any Old).requestFlags
        #expect(names == [.dualSubCarriers, .highDataRate, .protocolExtension, .select, .address, .option])
    }

    @Test func answersAreValues() {
        var info = NFCISO15693SystemInfo(
            uniqueIdentifier: Data([0xE0]), dataStorageFormatIdentifier: -1, applicationFamilyIdentifier: 2,
            blockSize: 4,
            totalBlocks: 28, icReference: 1)
        info.totalBlocks = 64
        let numbers: [Int] = [
            info.dataStorageFormatIdentifier, info.applicationFamilyIdentifier, info.blockSize, info.totalBlocks,
            info.icReference,
        ]
        #expect(numbers == [-1, 2, 4, 64, 1])
        let identifier: Data = info.uniqueIdentifier
        #expect(identifier == Data([0xE0]))
        var status = NFCISO15693MultipleBlockSecurityStatus(blockSecurityStatus: [0, 1])
        status.blockSecurityStatus.append(2)
        #expect(status.blockSecurityStatus == [0, 1, 2])
    }

    @Test func aTagHasItsNumbers() {
        let tag: any NFCISO15693Tag = MockISO15693Tag()
        let (identifier, manufacturer, serial): (Data, Int, Data) = (
            tag.identifier, tag.icManufacturerCode, tag.icSerialNumber
        )
        #expect(identifier.count == 8)
        #expect(manufacturer == 4)
        #expect(serial.count == 6)
        #expect(tag.type == .ISO15693)
        #expect(tag.type.rawValue == 1)
        #expect((tag as any __NFCTag).asNFCISO15693Tag() === tag)
        #expect((tag as any NFCNDEFTag).isAvailable)
    }

    /// Apps use trailing closures with as many parameters as the handler has.
    @Test func trailingClosuresChooseTheForm() {
        let tag: any NFCISO15693Tag = MockISO15693Tag()
        let calls = Events<String>()
        tag.readSingleBlock(requestFlags: [.highDataRate, .address], blockNumber: 0) { data, error in
            calls.record("handler \(data.count) \(error == nil)")
        }
        tag.readSingleBlock(requestFlags: [.highDataRate, .address], blockNumber: 0) { result in
            switch result {
            case .success(let data): calls.record("result \(data.count)")
            case .failure(let error): calls.record("\(error)")
            }
        }
        tag.readMultipleBlocks(requestFlags: .address, blockRange: NSMakeRange(0, 2)) { blocks, error in
            if let error { return calls.record("\(error)") }
            calls.record("blocks \(blocks.count)")
        }
        tag.getSystemInfo(requestFlags: .address) { (result: Result<NFCISO15693SystemInfo, any Error>) in
            calls.record("info \((try? result.get())?.totalBlocks ?? 0)")
        }
        tag.customCommand(requestFlags: .highDataRate, customCommandCode: 0xA1, customRequestParameters: Data()) {
            calls.record("custom \($0.count) \($1 == nil)")
        }
        tag.challenge(requestFlags: .address, cryptoSuiteIdentifier: 0, message: Data()) { error in
            calls.record("challenge \(error == nil)")
        }
        tag.readBuffer(requestFlags: .address) { result in
            if case .success((let flag, let data)) = result { calls.record("buffer \(flag.rawValue) \(data.count)") }
        }
        tag.__fastReadMultipleBlocks(with: .address, blockRange: NSRange(location: 0, length: 2)) { blocks, error in
            calls.record("fast \(blocks.count) \(error == nil)")
        }
        #expect(
            calls.all == [
                "handler 4 true", "result 4", "blocks 2", "info 28", "custom 4 true", "challenge true", "buffer 2 4",
                "fast 2 true",
            ])
    }

    @Test func theCommandsOfOldAreThere() {
        let calls = Events<String>()
        (OldNames() as any Old).call(MockISO15693Tag(), calls)
        #expect(calls.all == ["lock nil", "info 1 2 4 28 -1 nil", "custom 01020304", "several 01020304"])
    }
}

@Suite struct CommandConfigurationTests {
    @Test func retriesAreNoneByDefaultAndCopied() throws {
        let configuration = NFCTagCommandConfiguration()
        #expect(configuration.maximumRetries == 0)
        #expect(configuration.retryInterval == 0)
        configuration.maximumRetries = 300
        configuration.retryInterval = 0.5
        let copy = try #require(configuration.copy() as? NFCTagCommandConfiguration)
        configuration.maximumRetries = 1
        #expect(copy !== configuration)
        #expect(copy.maximumRetries == 300)
        #expect(copy.retryInterval == 0.5 as TimeInterval)
    }

    @Test func aCustomCommandIsCopiedWhole() throws {
        let plain = NFCISO15693CustomCommandConfiguration(
            manufacturerCode: 7, customCommandCode: 0xA0, requestParameters: nil)
        #expect(plain.requestParameters == Data())
        #expect((plain.maximumRetries, plain.retryInterval) == (0, 0))
        let configuration = NFCISO15693CustomCommandConfiguration(
            manufacturerCode: 7, customCommandCode: 0xA0, requestParameters: Data([1]), maximumRetries: 5,
            retryInterval: 0.1)
        let copy = try #require(configuration.copy() as? NFCISO15693CustomCommandConfiguration)
        configuration.manufacturerCode = 4
        configuration.customCommandCode = 0xA1
        configuration.requestParameters = Data([2])
        configuration.maximumRetries = 6
        #expect((copy.manufacturerCode, copy.customCommandCode, copy.requestParameters) == (7, 0xA0, Data([1])))
        #expect((copy.maximumRetries, copy.retryInterval) == (5, 0.1))
    }

    @Test func aReadingOfBlocksIsCopiedWhole() throws {
        let plain = NFCISO15693ReadMultipleBlocksConfiguration(range: NSRange(location: 1, length: 8), chunkSize: 4)
        #expect((plain.maximumRetries, plain.retryInterval) == (0, 0))
        let configuration = NFCISO15693ReadMultipleBlocksConfiguration(
            range: NSRange(location: 1, length: 8), chunkSize: 4, maximumRetries: 5, retryInterval: 0.1)
        let copy = try #require(configuration.copy() as? NFCISO15693ReadMultipleBlocksConfiguration)
        configuration.range.location = 2
        configuration.chunkSize = 1
        #expect(copy.range == NSRange(location: 1, length: 8))
        #expect((copy.chunkSize, copy.maximumRetries, copy.retryInterval) == (4, 5, 0.1))
    }

    @Test func aCopyIsOfTheClassItIsACopyOf() {
        final class Own: NFCISO15693CustomCommandConfiguration {}
        let own = Own(manufacturerCode: 7, customCommandCode: 0xA0, requestParameters: nil)
        #expect((own.copy() as? Own)?.manufacturerCode == 7)
    }
}

// Deprecated names are used through a protocol, where they cause no warning.

private protocol Old {
    var requestFlags: [NFCISO15693RequestFlag] { get }
    func call(_ tag: any NFCISO15693Tag, _ calls: Events<String>)
}

private struct OldNames: Old {
    @available(*, deprecated)
    var requestFlags: [NFCISO15693RequestFlag] {
        [
            .RequestFlagDualSubCarriers, .RequestFlagHighDataRate, .RequestFlagProtocolExtension, .RequestFlagSelect,
            .RequestFlagAddress, .RequestFlagOption,
        ]
    }

    @available(*, deprecated)
    func call(_ tag: any NFCISO15693Tag, _ calls: Events<String>) {
        tag.lockDFSID(requestFlags: .address) { error in calls.record("lock \(error == nil ? "nil" : "error")") }
        tag.getSystemInfo(requestFlags: .address) { dsfid, afi, blockSize, blockCount, icReference, error in
            let numbers: [Int] = [dsfid, afi, blockSize, blockCount, icReference]
            calls.record("info \(numbers.map(String.init).joined(separator: " ")) \(error == nil ? "nil" : "error")")
        }
        tag.sendCustomCommand(
            commandConfiguration: NFCISO15693CustomCommandConfiguration(
                manufacturerCode: 4, customCommandCode: 0xA0, requestParameters: nil)
        ) { (data: Data, _) in calls.record("custom \(text(data))") }
        tag.readMultipleBlock(
            readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration(
                range: NSRange(location: 0, length: 2), chunkSize: 1)
        ) { (data: Data, _) in calls.record("several \(text(data))") }
    }
}
