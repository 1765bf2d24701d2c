// Copies of a MIFARE Classic and a MIFARE Plus in security level 1, checked through the real libnfc

import Foundation
import ReaderInterface
import TagTypes
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct ClassicOriginTests {
    private static let data = [UInt8](0..<16)

    @Test(arguments: [
        (VirtualTagKind.classic1kMagic, [ClassicOrigin.Sign.backdoor, .compatibleMaker], true),
        (.classic1kMagic2, [.copyATS, .compatibleMaker], true), (.classic1k, [], false), (.mifarePlusSL1, [], false),
        (.mifareMini, [], false),
    ])
    func aCopyIsToldAndEachCardWorksAfterwards(
        kind: VirtualTagKind, signs: [ClassicOrigin.Sign], isWritable: Bool
    ) async throws {
        try await onOwnThread {
            let card = kind.make()
            try Bench([card]).open { reader in
                let tag = try #require(RecoveryTests.tag(on: reader) as? ClassicTag)
                let block0 = try tag.memoryMap().blocks.first?.bytes
                for _ in 0..<2 {
                    let origin = try tag.inspectOrigin(block0: block0)
                    #expect(origin.signs == signs && origin.isWritable == isWritable)
                    #expect(origin.isMIFAREPlus == (kind == .mifarePlusSL1))
                    #expect(tag.chip?.name.contains("MIFARE Plus") == (kind == .mifarePlusSL1))
                }
                try tag.writeBlocks([(4, Self.data)])
                let again = try RecoveryTests.tag(on: reader).memoryMap()
                #expect(again.blocks[4].bytes == Self.data && again.blocks[0].bytes == block0)
            }
        }
    }

    /// After a lost frame, a card does not count as a copy, and is not left in ISO-DEP.
    @Test(arguments: [VirtualTagKind.classic1k, .classic1kMagic, .mifarePlusSL1])
    func aLostFrameLeavesTheCardUsable(kind: VirtualTagKind) async throws {
        try await onOwnThread {
            let card = kind.make()
            let bench = try Bench([card])
            try bench.open { reader in
                for number in 1...4 {
                    let tag = try #require(RecoveryTests.tag(on: reader) as? ClassicTag)
                    let block0 = try tag.memoryMap().blocks.first?.bytes
                    var faults = Faults()
                    try faults.apply("nak", "\(bench.chip.statistics.tagCommands + number)")
                    bench.chip.faults = faults
                    let origin = try tag.inspectOrigin(block0: block0)
                    bench.chip.faults = Faults()
                    if kind != .classic1kMagic { #expect(!origin.isWritable) }
                    try tag.writeBlocks([(4, Self.data)])
                }
            }
        }
    }
}
