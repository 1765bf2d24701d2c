// Each technology, alone and together: polling, reselection, presence

import NFCReader
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct TechnologyTests {
    private static let kinds: [(VirtualTagKind, Technology)] = [
        (.ntag213, .nfcA), (.type4, .nfcA), (.type4b, .nfcB), (.feliCaLiteS, .nfcF), (.feliCaLiteSNDEF, .nfcF),
        (.type3, .nfcF), (.topaz96, .jewel), (.topaz512, .jewel),
    ]

    @Test(arguments: kinds)
    func aTagIsFoundOnceByItsTechnologyAtEveryPoll(_ kind: VirtualTagKind, _ technology: Technology) throws {
        try Bench([kind.make()]).open { reader in
            for _ in 0..<3 {
                let targets = try reader.poll(for: Technology.allCases)
                #expect(targets.map(\.technology) == [technology])
            }
        }
    }

    @Test(arguments: kinds)
    func aTagIsSelectedAgainAndSeenToLeave(_ kind: VirtualTagKind, _ technology: Technology) throws {
        let bench = try Bench([kind.make()])
        try bench.open { reader in
            let target = try #require(try reader.poll(for: Technology.allCases).first)
            let channel = try reader.connect(to: target)
            for _ in 0..<2 {
                #expect(try reader.presence(of: channel) != .absent)
                try channel.reselect()
            }
            bench.chip.field.remove(identifier: target.identifier)
            #expect(try reader.presence(of: channel) == .absent)
            #expect(throws: ReaderError.tagLost) { try channel.reselect() }
        }
    }

    @Test(arguments: kinds)
    func aTagThatCameBackIsSelectedAgain(_ kind: VirtualTagKind, _ technology: Technology) throws {
        let tag = kind.make()
        let bench = try Bench([tag])
        try bench.open { reader in
            let target = try #require(try reader.poll(for: Technology.allCases).first)
            let channel = try reader.connect(to: target)
            bench.chip.field.remove(identifier: target.identifier)
            bench.chip.field.place(tag)
            try channel.reselect()
            #expect(try reader.presence(of: channel) != .absent)
        }
    }

    @Test func aMixtureIsFoundEachOnceAndEachCanBeConnectedTo() throws {
        let kinds: [VirtualTagKind] = [.ntag213, .type4, .type4b, .feliCaLiteSNDEF]
        try Bench(kinds.map { $0.make() }).open { reader in
            for _ in 0..<2 {
                let targets = try reader.poll(for: Technology.allCases)
                #expect(targets.map(\.technology) == [.nfcA, .nfcA, .nfcB, .nfcF])
                #expect(Set(targets.map(\.identifier)).count == kinds.count)
                for target in targets {
                    let channel = try reader.connect(to: target)
                    #expect(try reader.presence(of: channel) != .absent)
                }
            }
        }
    }

    @Test func aType1TagBesideBAndFIsFoundOnce() throws {
        let kinds: [VirtualTagKind] = [.topaz512, .type4b, .type3]
        try Bench(kinds.map { $0.make() }).open { reader in
            for _ in 0..<2 {
                let targets = try reader.poll(for: Technology.allCases)
                #expect(targets.map(\.technology) == [.nfcB, .nfcF, .jewel])
                for target in targets { _ = try reader.connect(to: target) }
            }
        }
    }
}
