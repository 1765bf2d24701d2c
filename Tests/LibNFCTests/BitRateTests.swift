// The real libnfc with Type 4 Tags at higher bit rates — ISO/IEC 14443-4, PPS; NXP UM0701-02, InPSL

import Glibc
import LibNFC
import ReaderInterface
import Synchronization
import Testing

@testable import VirtualPN532

/// A Type 4 Tag whose answer to selection names higher bit rates, but whose answer to a PPS never arrives.
private final class UnwillingTag: RatedTag {
    /// Whether the tag nevertheless uses the new bit rates, so that only its answer is lost.
    private let agrees: Bool
    /// Whether the tag has another UID after each field reset.
    private let isRandom: Bool
    private let resets = Mutex<UInt8>(0)
    private let tag = VirtualType4Tag(nfcID1: [4, 1, 2, 3, 4, 5, 6])

    init(agrees: Bool, isRandom: Bool = false) { (self.agrees, self.isRandom) = (agrees, isRandom) }

    var sensRes: [UInt8] { isRandom ? [0x04, 0x00] : tag.sensRes }
    var nfcID1: [UInt8] { isRandom ? [0x08, resets.withLock { $0 }, 2, 3] : tag.nfcID1 }
    var selRes: UInt8 { tag.selRes }
    var generation: Int { tag.generation }
    var bitRates: BitRates { tag.bitRates }

    func fieldOff() {
        resets.withLock { $0 &+= 1 }
        tag.fieldOff()
    }
    func poll(wakeUp: Bool) -> Bool { tag.poll(wakeUp: wakeUp) }
    func deselect() { tag.deselect() }
    func select() { tag.select() }
    func halt() { tag.halt() }
    func receiveTorn(_ frame: [UInt8]) { tag.receiveTorn(frame) }

    func receive(_ frame: [UInt8]) -> TagReply {
        guard frame.first == BitRates.ppsStart else { return tag.receive(frame) }
        if agrees { _ = tag.receive(frame) }
        return TagReply(.silence)
    }
}

@Suite struct BitRateTests {
    private static let selectApplication: [UInt8] = [
        0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ]
    private static let selectFile: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04]
    private static let readFile: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0xC8]
    private static let inPSL: UInt8 = 0x4E

    private static func connect(_ reader: LibNFCReader) throws -> any TagChannel {
        try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
    }

    /// Reads 200 bytes.
    private static func read(_ channel: any TagChannel) throws {
        for command in [Self.selectApplication, Self.selectFile] {
            #expect(try channel.transceive(command, framing: .handled).suffix(2) == [0x90, 0x00])
        }
        #expect(try channel.transceive(readFile, framing: .handled).count == 202)
    }

    /// Returns the air time of a read, and the number of InPSL commands.
    private static func cost(
        of tag: any VirtualTag, usesHigherBitRates: Bool
    ) throws -> (time: Duration, requests: Int) {
        let bench = try Bench([tag])
        return try bench.open(usesHigherBitRates: usesHigherBitRates) { reader in
            let channel = try Self.connect(reader)
            let start = bench.chip.statistics.modelledTime
            try Self.read(channel)
            let statistics = bench.chip.statistics
            #expect(try reader.presence(of: channel) == .continuous)
            return (
                time: statistics.modelledTime - start, requests: statistics.commands[inPSL, default: 0]
            )
        }
    }

    @Test func anAgreedBitRateShortensTheTimeOnTheAir() throws {
        let slow = try Self.cost(of: VirtualTagKind.type4.make(), usesHigherBitRates: false)
        let fast = try Self.cost(of: VirtualTagKind.type4.make(), usesHigherBitRates: true)
        // 200 bytes of 9 bits take 17 ms at 106 kbit/s, and 4 ms at 424 kbit/s.
        #expect(slow.time - fast.time > .milliseconds(12))
        #expect(slow.requests == 0)
        #expect(fast.requests == 1)
    }

    @Test func aTagWithoutHigherBitRatesIsNotAsked() throws {
        let slow = try Self.statistics(of: .applicationCard, usesHigherBitRates: false)
        let fast = try Self.statistics(of: .applicationCard, usesHigherBitRates: true)
        #expect(slow == fast)
    }

    private static func statistics(of kind: VirtualTagKind, usesHigherBitRates: Bool) throws -> [UInt8: Int] {
        let bench = try Bench([kind.make()])
        return try bench.open(usesHigherBitRates: usesHigherBitRates) { reader in
            let channel = try Self.connect(reader)
            try channel.reselect()
            return bench.chip.statistics.commands
        }
    }

    /// The tag either keeps the old bit rates or already uses the new ones.
    @Test(arguments: [false, true])
    func aTagThatDoesNotAnswerAPPSWorksAt106Kilobits(agrees: Bool) throws {
        let bench = try Bench([UnwillingTag(agrees: agrees)])
        try bench.open(usesHigherBitRates: true) { reader in
            let channel = try Self.connect(reader)
            try Self.read(channel)
            try channel.reselect()
            try Self.read(channel)
            #expect(try reader.presence(of: channel) == .continuous)
        }
        #expect(bench.chip.statistics.commands[Self.inPSL] == 1)
    }

    /// The field reset after the unanswered request gives the tag another UID.
    @Test func aTagWithARandomUIDThatDoesNotAnswerAPPSIsLostOnlyOnce() throws {
        let bench = try Bench([UnwillingTag(agrees: true, isRandom: true)])
        try bench.open(usesHigherBitRates: true) { reader in
            let target = try #require(try reader.poll(for: [.nfcA]).first)
            #expect(throws: ReaderError.tagLost) { _ = try reader.connect(to: target) }
            try Self.read(try Self.connect(reader))
        }
        #expect(bench.chip.statistics.commands[Self.inPSL] == 1)
    }

    @Test func theBitRateIsAgreedAgainAfterEachSelection() throws {
        let bench = try Bench([VirtualTagKind.ntag424.make()])
        try bench.open(usesHigherBitRates: true) { reader in
            let channel = try Self.connect(reader)
            try Self.selectAndCheck(channel)
            try channel.reselect()
            try Self.selectAndCheck(channel)
            try Self.selectAndCheck(try reader.powerUp(channel.target))
        }
        #expect(bench.chip.statistics.commands[Self.inPSL] == 3)
    }

    private static func selectAndCheck(_ channel: any TagChannel) throws {
        #expect(try channel.transceive(selectApplication, framing: .handled).suffix(2) == [0x90, 0x00])
    }

    @Test func aTagThatLeavesAndComesBackAgreesAgain() throws {
        let bench = try Bench([VirtualTagKind.type4.make()])
        try bench.open(usesHigherBitRates: true) { reader in
            let channel = try Self.connect(reader)
            try Self.read(channel)
            var faults = Faults()
            faults.loss = bench.chip.statistics.tagCommands + 1
            faults.back = .milliseconds(50)
            bench.chip.faults = faults
            // The last command before the loss is still answered.
            _ = try channel.transceive(Self.selectFile, framing: .handled)
            #expect(throws: ReaderError.noAnswer) { try channel.transceive(Self.selectFile, framing: .handled) }
            let isBack = (0..<100).contains { _ in
                usleep(20_000)
                return (try? channel.reselect()) != nil
            }
            #expect(isBack)
            try Self.read(channel)
        }
        #expect(bench.chip.statistics.commands[Self.inPSL] == 2)
    }

    @Test func severalTagsInTheFieldAgreeOneAfterTheOther() throws {
        let tags = [VirtualTagKind.type4.make(serial: 1), VirtualTagKind.type4.make(serial: 2)]
        let bench = try Bench(tags)
        try bench.open(usesHigherBitRates: true) { reader in
            let targets = try reader.poll(for: [.nfcA]).targets
            #expect(targets.count == 2)
            for target in targets + targets { try Self.read(try reader.connect(to: target)) }
        }
        #expect(bench.chip.statistics.commands[Self.inPSL] == 4)
    }
}
