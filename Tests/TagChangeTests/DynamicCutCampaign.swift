// The tag is removed at any command of sdm setup, keys and reset: the error reports its state, and the same command
// finishes

import Chance
import ReaderInterface
import SafeTag
import SecureDynamicMessaging
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

// The tests run one after the other, because a process cannot open hundreds of readers at once.
@Suite(.serialized) struct DynamicCutCampaign {
    private static let keys = SDMKeys(
        [Int: AES128Key](
            uniqueKeysWithValues: (0..<5).compactMap { number in
                AES128Key([UInt8](repeating: UInt8(0xA0 + number), count: 16)).map { (number, $0) }
            }))
    private static let templates = [
        "https://example.com/?e={picc}&c={mac}", "https://example.org/longer?u={uid}&n={counter}&c={mac}",
    ]

    /// Power fails during a command, or the tag leaves after it.
    private static func strike(_ bench: Bench, at command: Int) {
        bench.reader.faults.back = .milliseconds(20)
        if command.isMultiple(of: 2) { bench.reader.faults.tear = command } else { bench.reader.faults.loss = command }
    }

    @Test(arguments: Array(Campaign.cuts(through: 150, every: 37)))
    func aSetUpIsFinishedByTheSameCommand(cut: Int) async throws {
        try await Bench.with(.ntag424) { bench in
            try await bench.write(try Bench.text("https://example.com/old"))
            Self.strike(bench, at: cut + 20)
            for template in Self.templates {
                let setup = try SDMSetup(SDMLayout(SDMTemplate(template)), keys: .factory)
                let before = try await Self.untilItWorks { try await bench.status(nil) }
                var proof: SDMProof
                do {
                    proof = try await bench.setUp(setup, asking: Answers(true))
                } catch {
                    try await Self.check(error, before, bench)
                    proof = try await bench.setUp(setup, asking: Answers(true))
                }
                #expect(proof.address.hasPrefix(template.prefix(20)))
                #expect(proof.tap.counter.map { $0 > 0 } == true)
            }
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    /// The state that an error reports must be the state of the tag.
    private static func check(_ error: any Error, _ before: DynamicStatus, _ bench: Bench) async throws {
        let now = try await bench.status(nil).files[1].settings
        guard let cut = error as? SDMSetupInterrupted else {
            #expect(now == before.files[1].settings, "\(error)")
            return
        }
        switch cut.standing {
        case .opening: #expect(now == before.files[1].settings || now.dynamic == nil)
        case .writing: #expect(now.dynamic == nil && now.rights.write == .free)
        case .closing: break
        case .unproven: #expect(now.dynamic != nil)
        }
        #expect(!cut.description.isEmpty)
    }

    @Test(arguments: Array(Campaign.cuts(through: 210, every: 53)))
    func keysAreChangedAndResetByTheSameCommand(cut: Int) async throws {
        try await Bench.with(.ntag424) { bench in
            Self.strike(bench, at: cut)
            let change = KeyChange(from: .factory, to: Self.keys, version: 3)
            do {
                _ = try await bench.changeKeys(change, asking: Answers(true))
            } catch {
                let isNew = try await bench.status(Self.keys).isKeyRight
                if let cut = error as? KeyChangeInterrupted {
                    #expect(cut.changed.allSatisfy { isNew[$0] == true } && cut.left.allSatisfy { isNew[$0] == false })
                } else {
                    #expect(isNew.values.allSatisfy { !$0 })
                }
                _ = try await bench.changeKeys(change, asking: Answers(true))
            }
            let changed = try await Self.untilItWorks { try await bench.status(Self.keys) }
            #expect(changed.isKeyRight.values.allSatisfy { $0 } && changed.keyVersions == [3, 3, 3, 3, 3])
            do {
                _ = try await bench.reset(Self.keys, asking: Answers(true))
            } catch {
                _ = try await bench.reset(Self.keys, asking: Answers(true))
            }
            let reset = try await Self.untilItWorks { try await bench.status(.factory) }
            #expect(reset.isKeyRight.values.allSatisfy { $0 } && reset.keyVersions == [0, 0, 0, 0, 0])
        }
    }

    /// Performs a read, and repeats it once if it is interrupted.
    private static func untilItWorks<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch { return try await work() }
    }

    @Test func brokenAnswersAreAskedForAgain() async throws {
        try await Bench.with(.ntag424) { bench in
            bench.reader.faults.crc = 9
            bench.reader.faults.repeats = true
            let change = KeyChange(from: .factory, to: Self.keys, version: 3)
            let draft = try await bench.changeKeys(change, asking: Answers(true))
            #expect(draft.pending == [4, 3, 2, 1, 0])
            let setup = try SDMSetup(SDMLayout(SDMTemplate(Self.templates[0])), keys: Self.keys)
            let proof = try await bench.setUp(setup, asking: Answers(true))
            #expect(proof.tap.uid != nil)
        }
    }
}
