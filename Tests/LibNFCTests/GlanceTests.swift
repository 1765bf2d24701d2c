// A poll for the next tag while the last one is still selected. It needs no new field, and misses no tag

import Chance
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct GlanceTests {
    /// Opens a reader with a tag that has been powered up and is ready.
    private func withSettled(
        _ kind: VirtualTagKind = .ntag213, _ work: (Bench, LibNFCReader, Set<[UInt8]>) throws -> Void
    ) throws {
        let tag = kind.make()
        let bench = try Bench([tag])
        try bench.open { reader in
            let target = try #require(try reader.poll(for: Technology.allCases).first)
            _ = try reader.powerUp(target)
            bench.chip.resetStatistics()
            try work(bench, reader, [tag.identifier])
        }
    }

    private func poll(_ reader: LibNFCReader, _ settled: Set<[UInt8]>?) throws -> Set<[UInt8]> {
        Set(try reader.poll(for: Technology.allCases, settled: settled).map(\.identifier))
    }

    @Test func theTagThatLiesThereIsFoundInOneExchange() throws {
        try withSettled { bench, reader, settled in
            try #expect(poll(reader, settled) == settled)
            try #expect(poll(reader, settled) == settled)
            #expect(bench.chip.statistics.commands == [0x4A: 2])
        }
    }

    @Test func theNextTagInItsPlaceIsFoundAloneWithoutANewField() throws {
        try withSettled { bench, reader, settled in
            bench.chip.field.remove()
            let next = VirtualTagKind.ntag215.make()
            bench.chip.field.place(next)
            try #expect(poll(reader, settled) == [next.identifier])
            // InListPassiveTarget twice, because another tag would have answered the first.
            #expect(bench.chip.statistics.commands == [0x4A: 2])
        }
    }

    @Test func aTagThatWasFoundAloneIsSelected() throws {
        try withSettled { bench, reader, settled in
            let tags = [VirtualTagKind.ntag215.make(), VirtualTagKind.ntag216.make()]
            for tag in tags {
                bench.chip.field.remove()
                bench.chip.field.place(tag)
                let targets = try reader.poll(for: Technology.allCases, settled: settled)
                #expect(targets.map(\.identifier) == [tag.identifier])
                bench.chip.resetStatistics()
                let channel = try reader.connect(to: targets[0])
                let block0 = try channel.transceive([0x30, 0x00], framing: .handled)
                #expect(Array(block0.prefix(3)) == Array(tag.identifier.prefix(3)))
                #expect(bench.chip.statistics.commands == [0x40: 1])
                // The tag is activated again, because a command was sent to it.
                _ = try reader.connect(to: targets[0])
                #expect(bench.chip.statistics.commands == [0x40: 1, 0x44: 1, 0x4A: 1])
            }
        }
    }

    @Test func aTagThatLeftOnceItWasFoundAloneAnswersNothing() throws {
        try withSettled { bench, reader, _ in
            let targets = try reader.poll(for: Technology.allCases, settled: [])
            bench.chip.field.remove()
            bench.chip.field.place(VirtualTagKind.ntag215.make())
            let channel = try reader.connect(to: try #require(targets.first))
            #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x30, 0x00], framing: .handled) }
            #expect(throws: ReaderError.tagLost) { try channel.reselect() }
        }
    }

    @Test func severalFreshTagsAreAllFound() throws {
        let kinds: [VirtualTagKind] = [.ntag213, .ntag215, .ultralight, .type4]
        for count in 2...kinds.count {
            let tags = kinds.prefix(count).map { $0.make() }
            try Bench(tags).open { reader in
                for _ in 0..<3 { try #expect(poll(reader, []) == Set(tags.map(\.identifier))) }
            }
        }
    }

    @Test(arguments: [0, 1, 4])
    func aTagBesideItIsFoundWithIt(glances: Int) throws {
        try withSettled { bench, reader, settled in
            for _ in 0..<glances { try #expect(poll(reader, settled) == settled) }
            let next = VirtualTagKind.ntag215.make()
            bench.chip.field.place(next)
            try #expect(poll(reader, settled) == settled.union([next.identifier]))
        }
    }

    @Test func aTagOfAnotherKindBesideItIsFoundAfterAFewLooks() throws {
        try withSettled { bench, reader, settled in
            let other = VirtualTagKind.type3.make()
            bench.chip.field.place(other)
            var looks = 1
            while try poll(reader, settled) == settled, looks < 10 { looks += 1 }
            // Five glances, followed by a new field.
            #expect(looks == 6)
            try #expect(poll(reader, settled) == settled.union([other.identifier]))
        }
    }

    @Test func anEmptyFieldIsLookedAtWithEveryTechnology() throws {
        try withSettled { bench, reader, settled in
            bench.chip.field.remove()
            let other = VirtualTagKind.type3.make()
            bench.chip.field.place(other)
            try #expect(poll(reader, settled) == [other.identifier])
        }
    }

    @Test(.alsoAtRealLatency, arguments: [VirtualTagKind.type4, .type3, .topaz96, .ntag213])
    func whoAsksForAllGetsAll(_ kind: VirtualTagKind) throws {
        try withSettled(kind) { bench, reader, settled in
            let next = VirtualTagKind.ntag215.make()
            bench.chip.field.place(next)
            try #expect(poll(reader, nil) == settled.union([next.identifier]))
        }
    }

    @Test(.alsoAtRealLatency, arguments: [VirtualTagKind.type4, .type3, .topaz96])
    func aTagThatTakesNoNoticeOfAPollGetsANewField(_ kind: VirtualTagKind) throws {
        try withSettled(kind) { bench, reader, settled in
            try #expect(poll(reader, settled) == settled)
            #expect(bench.chip.statistics.commands[0x32] == 2)
        }
    }

    @Test func aTagThatIsNoNewsYetIsNotGlancedAt() throws {
        try withSettled { bench, reader, settled in
            try #expect(poll(reader, []) == settled)
            #expect(bench.chip.statistics.commands[0x32] == 2)
        }
    }
}
