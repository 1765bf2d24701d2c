// Locking that is interrupted after every command: only the announced bits are set, and every reported step is done

import Chance
import Foundation
import ReaderInterface
import TagTypes
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct LockCutTests {
    private static let kinds: [VirtualTagKind] = [
        .ntag213, .ntag215, .ntag203, .ultralight, .ultralightEV1128, .ntagI2C1K, .topaz96, .feliCaLiteSNDEF, .type3,
    ]
    private static let message: [UInt8] = [0xD1, 0x01, 0x04, 0x54, 0x02, 0x65, 0x6E, 0x41]

    @Test(arguments: kinds, ["loss", "tear"])
    func everyCutOfALockTellsTheTruth(kind: VirtualTagKind, fault: String) async throws {
        let cuts = try await onOwnThread { try Self.countCuts(of: kind, by: fault) }
        print("\(kind.rawValue), \(fault): \(cuts) cut locks")
        #expect(cuts >= 1 && cuts < 60)
    }

    /// Returns the number of interruptions, each of which is reported truthfully.
    private static func countCuts(of kind: VirtualTagKind, by fault: String) throws -> Int {
        var cuts = 0
        // Every command that sets something, and some commands that verify the effect.
        for number in Array(stride(from: 1, through: 40, by: Campaign.isLong ? 1 : 4))
            + Array(stride(from: 47, to: 1_000, by: 37))
        {
            let card = kind.make()
            let bench = try Bench([card])
            let isDone = try bench.open { reader in
                let blank = try RecoveryTests.tag(on: reader)
                if try blank.detect().isBlank { try blank.initialise() }
                try RecoveryTests.tag(on: reader).writeNDEF(Self.message)
                let before = try RecoveryTests.tag(on: reader).memoryMap()

                let tag = try RecoveryTests.tag(on: reader)
                // The content of the tag that nfctool keeps in its journal while it locks the tag.
                let insurance = try tag.planWrite(Self.message, .throughEmpty)
                let announced = try tag.planLock()
                #expect(!announced.isEmpty)
                var faults = Faults()
                try faults.apply(fault, "\(bench.chip.statistics.tagCommands + number)")
                bench.chip.faults = faults
                let result = Result { () throws(TagError) in try tag.makeReadOnly() }
                bench.chip.faults = Faults()
                bench.chip.field.replaceAll(with: [card])

                // A block without its own lock bits may be torn when the write access is set. In that case, the journal
                // repairs it.
                if (try? RecoveryTests.tag(on: reader).detect()) == nil {
                    try RecoveryTests.tag(on: reader).carryOut(insurance, .backward)
                }
                let after = try RecoveryTests.tag(on: reader)
                let missing = Set(try after.planLock().steps.map(\.name))
                switch result {
                case .success:
                    #expect(missing.isEmpty)
                    #expect(try after.detect().status == .readOnly)
                case .failure(.lockInterrupted(let done, let notDone, _)):
                    #expect(missing.isDisjoint(with: done), "said to be done: \(done); missing: \(missing)")
                    #expect(missing.isSubset(of: notDone))
                case .failure(.reader): #expect(missing == Set(announced.steps.map(\.name)))
                case .failure(let error): Issue.record("\(error) at \(number)")
                }
                // A tag that reports that it can be written can be written.
                if try after.detect().status == .readWrite {
                    try RecoveryTests.tag(on: reader).writeNDEF(Self.message.reversed())
                    try RecoveryTests.tag(on: reader).writeNDEF(Self.message)
                }
                Self.compare(before, try RecoveryTests.tag(on: reader).memoryMap())

                // Locks the tag again, without an interruption.
                try RecoveryTests.tag(on: reader).makeReadOnly()
                let locked = try RecoveryTests.tag(on: reader)
                #expect(try locked.detect().status == .readOnly)
                #expect(try locked.planLock().isEmpty)
                #expect(try locked.readNDEF() == Self.message)
                if case .success = result { return true }
                return false
            }
            if isDone { break }
            cuts += 1
        }
        return cuts
    }

    /// Only lock bits and the capability container, or its equivalent, may differ.
    private static func compare(_ before: MemoryMap, _ after: MemoryMap) {
        for (old, new) in zip(before.blocks, after.blocks) where old.bytes != new.bytes {
            let isAnnounced = [.lock, .capabilityContainer, .configuration, .counter].contains(old.role)
            #expect(isAnnounced, "block \(old.number), \(old.role): \(old.bytes ?? []) became \(new.bytes ?? [])")
        }
    }
}
