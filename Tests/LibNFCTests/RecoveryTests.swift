// Every tag type, every command of a rewrite: after an interruption, the plan can restore the old message or finish
// the new one
//
// The plan is carried out through the real libnfc, on virtual tags that were developed independently of the procedures.

import Foundation
import ReaderInterface
import TagTypes
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct RecoveryTests {
    private static let kinds: [VirtualTagKind] = [
        .ntag213, .ntag203, .ultralight, .ultralightEV1, .ultralightC, .ntagI2C2K, .topaz96, .feliCaLiteSNDEF, .type3,
        .type4, .type4v3, .type4b, .classic1kNDEF, .classic4kNDEF, .desfire, .ntag424, .topaz512,
    ]

    private static func message(_ count: Int, seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed &* 31) }
    }

    @Test(arguments: kinds, ["loss", "tear"])
    func everyCutOfARewriteIsRecoveredEitherWay(kind: VirtualTagKind, fault: String) async throws {
        let cuts = try await onOwnThread { try Self.recoverEveryCut(of: kind, by: fault) }
        print("\(kind.rawValue), \(fault): \(cuts) cut writes recovered")
        #expect(cuts >= 6)
    }

    /// Returns the number of interruptions, each of which is recovered in both directions.
    private static func recoverEveryCut(of kind: VirtualTagKind, by fault: String) throws -> Int {
        let card = kind.make()
        let bench = try Bench([card])
        let (old, new) = (Self.message(40, seed: 1), Self.message(33, seed: 2))
        return try bench.open { reader in
            let tag = try Self.tag(on: reader)
            if try tag.detect().isBlank { try tag.initialise() }
            var cuts = 0
            for number in 1...200 {
                for direction in [WritePlan.Direction.forward, .backward] {
                    try Self.tag(on: reader).writeNDEF(old)
                    let cut = try Self.tag(on: reader)
                    let plan = try cut.planWrite(new, .throughEmpty)
                    var faults = Faults()
                    try faults.apply(fault, "\(bench.chip.statistics.tagCommands + number)")
                    bench.chip.faults = faults
                    let result = Result { () throws(TagError) in try cut.carryOut(plan, .forward) }
                    bench.chip.faults = Faults()
                    if case .success = result { return cuts }
                    bench.chip.field.replaceAll(with: [card])
                    let stored = try JSONDecoder().decode(WritePlan.self, from: JSONEncoder().encode(plan))
                    try Self.tag(on: reader).carryOut(stored, direction)
                    let held = try Self.tag(on: reader).readNDEF()
                    #expect(held == plan.message(direction), "\(fault) at command \(number), \(direction)")
                    cuts += 1
                }
            }
            return cuts
        }
    }

    /// Returns the tag in a new activation.
    static func tag(on reader: LibNFCReader) throws -> any ForumTag {
        guard let target = try reader.poll(for: Technology.allCases).first else { throw ReaderError.tagLost }
        return TagDetection.tag(on: try reader.connect(to: target))
    }
}
