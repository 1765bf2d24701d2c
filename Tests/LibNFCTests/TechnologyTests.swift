// Each technology, alone and together: polling, reselection, presence

import Chance
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite(.alsoAtRealLatency) struct TechnologyTests {
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

    @Test func aFeliCaCardThatIsSelectedAgainAnswersToTheSystemItWasSetUpFor() throws {
        try Bench([VirtualTagKind.feliCaLiteS.make()]).open { reader in
            let target = try #require(try reader.poll(for: [.nfcF]).first)
            let channel = try reader.connect(to: target)
            // Write Without Encryption of block 88, MC: SYS_OP — FeliCa Lite-S User's Manual.
            let configuration: [UInt8] = [0xFF, 0xFF, 0xFF, 0x01, 0x07] + [UInt8](repeating: 0x00, count: 11)
            let write = [0x08] + target.identifier + [0x01, 0x09, 0x00, 0x01, 0x80, 0x88] + configuration
            let status = try channel.transceive([UInt8(write.count + 1)] + write, framing: .raw).suffix(2)
            #expect(status == [0x00, 0x00])
            try channel.reselect()
            // Polling for the NDEF system.
            let answer = try channel.transceive([0x06, 0x00, 0x12, 0xFC, 0x00, 0x00], framing: .raw)
            #expect(answer[2..<10] == target.identifier[...])
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
