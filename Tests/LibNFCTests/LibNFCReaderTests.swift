// The real libnfc on the virtual PN532: opening, polling, bytes, faults

import Chance
import Dispatch
import Foundation
import Logging
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

final class Bench: Sendable {
    let chip: VirtualReader
    let queue = DispatchQueue(label: "bench")

    init(
        _ tags: [any VirtualTag] = [], fault: String? = nil, after count: Int = 0, value: String? = nil
    ) throws {
        var faults = Faults()
        if let fault { try faults.apply(fault, value ?? "\(count)") }
        chip = try VirtualReader(tags: tags, faults: faults, latency: RealLatency.isOn ? .real : .none)
    }

    /// Opens the reader, works with it on its queue, and closes it.
    func open<Value>(usesHigherBitRates: Bool = false, _ work: (LibNFCReader) throws -> Value) throws -> Value {
        let reader = try LibNFCReader(
            connection: chip.connection, queue: queue, logger: Logger(label: "test"),
            usesHigherBitRates: usesHigherBitRates)
        return try queue.sync {
            defer { reader.close() }
            return try work(reader)
        }
    }
}

@Suite(.alsoAtRealLatency) struct LibNFCReaderTests {
    @Test func anEmptyFieldGivesNoTargets() throws {
        let bench = try Bench()
        #expect(try bench.open { try $0.poll(for: Technology.allCases) } == [])
    }

    @Test func aType2TagIsActivatedWithItsBytes() throws {
        let tag = VirtualTagKind.ntag215.make()
        let targets = try Bench([tag]).open { try $0.poll(for: Technology.allCases) }
        #expect(targets == [.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: tag.identifier))])
    }

    @Test func aType4TagIsActivatedWithItsAnswerToSelect() throws {
        let tag = VirtualTagKind.type4.make()
        let targets = try Bench([tag]).open { try $0.poll(for: Technology.allCases) }
        guard case .nfcA(let target) = try #require(targets.first) else { throw ReaderError.tagLost }
        #expect(target.isISODEP)
        #expect(target.nfcID1 == tag.identifier)
        #expect(!target.ats.isEmpty)
    }

    @Test func everyTagOfAFieldIsListedAtEveryPoll() throws {
        let tags: [any VirtualTag] = [
            VirtualTagKind.ntag213.make(), VirtualTagKind.type4.make(), VirtualTagKind.ultralight.make(),
        ]
        try Bench(tags).open { reader in
            for _ in 0..<3 {
                let identifiers = try reader.poll(for: [.nfcA]).map(\.identifier)
                #expect(Set(identifiers) == Set(tags.map(\.identifier)))
                #expect(identifiers.count == 3)
            }
        }
    }

    @Test func eachTagOfAFieldCanBeConnectedToByItsIdentifier() throws {
        let tags: [any VirtualTag] = [VirtualTagKind.ntag213.make(), VirtualTagKind.ntag215.make()]
        try Bench(tags).open { reader in
            for target in try reader.poll(for: [.nfcA]).targets + reader.poll(for: [.nfcA]).targets {
                let channel = try reader.connect(to: target)
                let block0 = try channel.transceive([0x30, 0x00], framing: .handled)
                #expect(Array(block0.prefix(3)) == Array(target.identifier.prefix(3)))
            }
        }
    }

    @Test func aReadAnswersWith16BytesAndAWriteWithNone() throws {
        try Bench([VirtualTagKind.ntag213.make()]).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            #expect(try channel.transceive([0xA2, 0x10, 1, 2, 3, 4], framing: .handled) == [])
            #expect(try channel.transceive([0x30, 0x10], framing: .handled).prefix(4) == [1, 2, 3, 4])
        }
    }

    @Test func rawAndHandledFramingCanAlternate() throws {
        try Bench([VirtualTagKind.ntag216.make()]).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            #expect(try channel.transceive([0x60], framing: .raw).count == 8)
            #expect(try channel.transceive([0x30, 0x00], framing: .handled).count == 16)
            #expect(try channel.transceive([0x3A, 0x00, 0x40], framing: .raw).count == 260)
        }
    }

    @Test func aFrameTellsFourBitsFromBytesAndFromSilence() throws {
        try Bench([VirtualTagKind.ntag216.make()]).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            let exchange = { try channel.exchangeFrame($0, timeout: .milliseconds(500)) }
            #expect(try exchange([0xA2, 0x10, 1, 2, 3, 4]) == .nibble(0xA))
            // The chip calculates the CRC again, even if another command was sent in between.
            #expect(try channel.transceive([0x30, 0x10], framing: .handled).prefix(4) == [1, 2, 3, 4])
            #expect(try channel.transceive([0x60], framing: .raw).count == 8)
            #expect(try exchange([0x60]) == .bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03]))
            guard case .bytes(let blocks) = try exchange([0x3A, 0x00, 0x3F]) else { throw ReaderError.noAnswer }
            #expect(blocks.count == 256)
            #expect(try exchange([0x30, 0xFF]) == .nibble(0x0))
            #expect(throws: ReaderError.noAnswer) { try exchange([0x30, 0x00]) }
            try channel.reselect()
            #expect(try channel.transceive([0x30, 0x00], framing: .handled).count == 16)
            let limit = channel.maxFrameLength
            #expect(throws: ReaderError.commandTooLong(length: limit + 1, limit: limit)) {
                try exchange([UInt8](repeating: 0x30, count: limit + 1))
            }
        }
    }

    /// ISO/IEC 14443-3, annex B: the examples for CRC_A.
    @Test func theChecksumIsThatOfTheStandard() {
        #expect(ChecksumA.appended(to: [0x00, 0x00]) == [0x00, 0x00, 0xA0, 0x1E])
        #expect(ChecksumA.appended(to: [0x12, 0x34]) == [0x12, 0x34, 0x26, 0xCF])
        #expect(ChecksumA.stripped([0x12, 0x34, 0x26, 0xCF]) == [0x12, 0x34])
        #expect(ChecksumA.stripped([0x12, 0x34, 0x26, 0xCE]) == nil)
        for broken in [[], [0x12], [0x63, 0x63]] as [[UInt8]] { #expect(ChecksumA.stripped(broken) == nil) }
    }

    @Test func aNAKMutesTheTagUntilItIsSelectedAgain() throws {
        try Bench([VirtualTagKind.ntag213.make()]).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x30, 0xFF], framing: .handled) }
            #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x30, 0x00], framing: .handled) }
            try channel.reselect()
            #expect(try channel.transceive([0x30, 0x00], framing: .handled).count == 16)
        }
    }

    @Test func aCommandThatWouldKillLibnfcIsNeverSent() throws {
        try Bench([VirtualTagKind.ntag213.make()]).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            let limit = channel.maxCommandLength
            #expect(throws: ReaderError.commandTooLong(length: limit + 1, limit: limit)) {
                try channel.transceive([UInt8](repeating: 0x30, count: limit + 1), framing: .handled)
            }
            #expect(throws: ReaderError.commandTooLong(length: 0, limit: limit)) {
                try channel.transceive([], framing: .handled)
            }
        }
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4])
    func presenceIsToldFromAbsence(_ kind: VirtualTagKind) throws {
        let tag = kind.make()
        let bench = try Bench([tag])
        try bench.open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            #expect(try reader.presence(of: channel) == .continuous)
            #expect(try reader.presence(of: channel) == .continuous)
            bench.chip.field.remove(identifier: tag.identifier)
            #expect(try reader.presence(of: channel) == .absent)
        }
    }

    @Test func anotherTagIsNotTakenForTheOneThatLeft() throws {
        let tag = VirtualTagKind.ntag213.make()
        let bench = try Bench([tag])
        try bench.open { reader in
            let target = try #require(try reader.poll(for: [.nfcA]).first)
            bench.chip.field.remove(identifier: tag.identifier)
            bench.chip.field.place(VirtualTagKind.ntag215.make())
            #expect(throws: ReaderError.tagLost) { try reader.connect(to: target) }
        }
    }

    @Test func aTagAfterPowerUpIsSelectedByItsIdentifierInThreeExchanges() throws {
        let bench = try Bench([VirtualTagKind.ntag213.make(), VirtualTagKind.ntag215.make()])
        try bench.open { reader in
            for target in try reader.poll(for: [.nfcA]) {
                bench.chip.resetStatistics()
                let channel = try reader.powerUp(target)
                // RFConfiguration: field off, field on; InListPassiveTarget.
                #expect(bench.chip.statistics.commands == [0x32: 2, 0x4A: 1])
                let block0 = try channel.transceive([0x30, 0x00], framing: .handled)
                #expect(Array(block0.prefix(3)) == Array(target.identifier.prefix(3)))
            }
        }
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .type3, .topaz96])
    func aTagThatIsGoneIsNotThereAfterPowerUp(_ kind: VirtualTagKind) throws {
        let tag = kind.make()
        let bench = try Bench([tag])
        try bench.open { reader in
            let target = try #require(try reader.poll(for: Technology.allCases).first)
            _ = try reader.powerUp(target)
            bench.chip.field.remove(identifier: tag.identifier)
            #expect(throws: ReaderError.tagLost) { try reader.powerUp(target) }
        }
    }

    @Test func aPollEndsAtTheTechnologyThatFindsEnough() throws {
        let tags: [any VirtualTag] = [
            VirtualTagKind.ntag213.make(), VirtualTagKind.ntag215.make(), VirtualTagKind.type3.make(),
        ]
        let bench = try Bench(tags)
        try bench.open { reader in
            let identifiers = try reader.poll(for: Technology.allCases, settled: []).map(\.identifier)
            #expect(Set(identifiers) == Set(tags.prefix(2).map(\.identifier)))
            #expect(try reader.poll(for: Technology.allCases).count == 3)
        }
    }

    @Test func anOldChannelIsDead() throws {
        try Bench([VirtualTagKind.ntag213.make(), VirtualTagKind.ntag215.make()]).open { reader in
            let targets = try reader.poll(for: [.nfcA])
            let first = try reader.connect(to: targets[0])
            _ = try reader.connect(to: targets[1])
            #expect(throws: ReaderError.tagLost) { try first.transceive([0x30, 0x00], framing: .handled) }
            #expect(try reader.presence(of: first) == .absent)
        }
    }
}

@Suite struct ReaderFaultTests {
    @Test func abortEndsWhatComesAfterIt() throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        try bench.open { reader in
            reader.abort()
            #expect(throws: ReaderError.aborted) { try reader.poll(for: [.nfcA]) }
        }
    }

    @Test func abortFromAnotherThreadEndsACallInProgress() throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        try bench.open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            bench.chip.faults.hang = 0
            DispatchQueue.global().async {
                while !reader.isRunning {}
                reader.abort()
            }
            #expect(throws: ReaderError.aborted) {
                try channel.transceive([0x30, 0x00], framing: .handled, timeout: .seconds(60))
            }
        }
    }

    @Test(arguments: ["mute", "hang"])
    func aMuteReaderFailsToOpen(_ fault: String) throws {
        let bench = try Bench(fault: fault, after: 0)
        let error = ReaderError.readerFailed(operation: "opening", reason: "it did not answer", code: -1)
        #expect(throws: error) { try bench.open { _ in } }
    }

    @Test(arguments: zip(["mute", "hang"], [1, 2]))
    func aReaderThatGoesMuteIsToldFromATagThatLeft(_ fault: String, _ command: Int) throws {
        try Bench([VirtualTagKind.ntag213.make()], fault: fault, after: command).open { reader in
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            _ = try channel.transceive([0x30, 0x00], framing: .handled)
            let error = #expect(throws: ReaderError.self) { try channel.transceive([0x30, 0x04], framing: .handled) }
            guard case .readerFailed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func aPathThatIsNotThereIsNoReader() {
        #expect(throws: ReaderError.noReader(connection: "pn532_uart:/dev/nosuch")) {
            try LibNFCReader(
                connection: "pn532_uart:/dev/nosuch", queue: DispatchQueue(label: "test"), logger: Logger(label: "test")
            )
        }
    }

    @Test(arguments: ["", "nosuch", "pn532_uart", "pn532_uart:/dev/nosuch\0", String(repeating: "x", count: 5000)])
    func aStringThatNamesNothingIsNoReader(_ connection: String) {
        #expect(throws: ReaderError.noReader(connection: connection)) {
            try LibNFCReader(connection: connection, queue: DispatchQueue(label: "test"), logger: Logger(label: "test"))
        }
    }

    @Test func aSecondOpeningIsRefusedAndAThirdAfterClosingWorks() throws {
        let bench = try Bench()
        try bench.open { _ in
            let connection = bench.chip.connection + ":115200"
            #expect(throws: ReaderError.busy(connection: connection, holder: "this process")) {
                try LibNFCReader(connection: connection, queue: bench.queue, logger: Logger(label: "test"))
            }
        }
        try bench.open { _ in }
    }
}
