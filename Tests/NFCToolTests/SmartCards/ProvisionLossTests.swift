// A plan while readers are unplugged, pcscd dies or hangs, and tags are pulled: each row is on one tag, and each tag
// has one row

import Chance
import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

extension BuiltBinarySmartCards {
    @Suite struct ProvisionLossTests {
        /// The losses that happen while two readers are working.
        enum Loss: CaseIterable {
            case unplug, kill, hang, notPresent, communicationError, empty

            var count: Int {
                switch self {
                case .unplug: Campaign.count(4, long: 50)
                case .kill: Campaign.count(3, long: 20)
                case .hang: Campaign.count(1, long: 5)
                default: Campaign.count(2, long: 20)
                }
            }

            var report: PCSCFaults.PullReport? {
                switch self {
                case .notPresent: .notPresent
                case .communicationError: .communicationError
                case .empty: .empty
                default: nil
                }
            }
        }

        private static let seed: UInt64 = 0x1252

        @Test func noRowIsLostOrDuplicatedWhateverFails() async throws {
            let desk = try SmartCardDesk(.acr1552u, .acr1252u)
            let rounds = Loss.allCases.flatMap { Array(repeating: $0, count: $0.count) }
            var chance = SplitMix(state: Self.seed)
            var tags: [any VirtualContactlessCard] = []
            var waits: [Loss: LongestWait] = [:]
            try await ProvisionRun.with { run in
                try run.plan(rounds.count * desk.readers.count)
                let names = desk.readers.flatMap { ["--reader", "pcsc:\($0.model.driverName)"] }
                let outcome = try await desk.run(
                    ["provision", "tags.csv", "--uri", run.uri, "--json", "--timeout", "30s"] + names, in: run.folder,
                    limit: .seconds(600)
                ) { tool in
                    for _ in desk.readers { try await desk.hear(tool) { $0.event == "reader" } }
                    for loss in rounds.shuffled(using: &chance) {
                        let placed = desk.readers.map { desk.newTag(for: $0) }
                        tags += placed
                        let start = try await lose(loss, placed, desk, tool, &chance)
                        if let start { waits[loss, default: LongestWait()].add(since: start) }
                    }
                }
                #expect(outcome.status == 0, "\(outcome.output.suffix(3_000)) \(outcome.errors)")
                try await BuiltBinarySmartCards.verify(tags, desk.told, run)
            }
            for loss in Loss.allCases { print("\(loss) in provision: \(waits[loss]?.text ?? "")") }
            let (cuts, losses) = (desk.told.count { $0.event == "cut" }, desk.told.count { $0.event == "readerLost" })
            print("tags cut in provision: \(cuts); told of \(losses) losses")
            #expect(waits.values.allSatisfy { $0.longest < .seconds(15) })
        }

        /// Runs one round, and returns when both tags have their rows.
        ///
        /// The result is the time at which the loss was repaired, or nil if both tags already had their rows.
        private func lose(
            _ loss: Loss, _ tags: [any VirtualContactlessCard], _ desk: SmartCardDesk, _ tool: RunningTool,
            _ chance: inout SplitMix
        ) async throws -> ContinuousClock.Instant? {
            var open = Set(tags.map(\.uidText))
            func note(_ event: SmartCardEvent) {
                if event.event == "row" || event.event == "known" { event.uid.map { _ = open.remove($0) } }
            }
            for reader in desk.readers {
                var faults = PCSCFaults()
                if let report = loss.report {
                    (faults.pull, faults.pullReport) = (Int.random(in: 1...30, using: &chance), report)
                    faults.tag.back = .milliseconds(Int.random(in: 10...100, using: &chance))
                }
                // Readers hang before a row is done.
                if loss == .hang { faults.hang = Int.random(in: 1...10, using: &chance) }
                reader.faults = faults
            }
            let planned = PlannedLoss { [readers = desk.readers, daemon = desk.daemon] in
                if loss == .kill { daemon.kill() }
                if loss == .unplug { for reader in readers { reader.unplug() } }
            }
            // The loss happens in the middle of a row, or while the tags are still being placed.
            let isInRow = loss == .unplug || loss == .kill ? Bool.random(using: &chance) : false
            if isInRow { desk.readers[0].onTransmit(Int.random(in: 1...10, using: &chance), planned.begin) }
            for (reader, tag) in zip(desk.readers, tags) { desk.swap(on: reader, for: tag) }
            var start = ContinuousClock.now
            if loss.report == nil {
                if !isInRow { planned.begin() }
                // Repairs the loss immediately, or as soon as nfctool has reported it.
                if isInRow || loss == .hang || Bool.random(using: &chance) {
                    try await planned.heard(on: desk, tool, note: note)
                }
                for reader in desk.readers { reader.faults = PCSCFaults() }
                switch loss {
                case .unplug: for reader in desk.readers { try reader.plug() }
                case .kill: try desk.daemon.restart()
                default: break
                }
                start = .now
            }
            guard !open.isEmpty else { return nil }
            try await desk.hear(tool) { event in
                note(event)
                return open.isEmpty
            }
            return start
        }
    }
}

extension BuiltBinarySmartCards {
    /// Reads each virtual tag, and checks that it holds the reported row and that each row of the plan was reported
    /// once.
    static func verify(
        _ tags: [any VirtualContactlessCard], _ events: [SmartCardEvent], _ run: ProvisionRun
    ) async throws {
        let done = events.filter { $0.event == "row" }
        #expect(done.compactMap(\.row).sorted() == Array(1...tags.count))
        #expect(Set(done.compactMap(\.uid)) == Set(tags.map(\.uidText)))
        #expect(!events.contains { $0.event == "refused" || $0.event == "failed" })
        for tag in tags {
            let row = try #require(done.first { $0.uid == tag.uidText }?.row)
            let text = "example.com/\(row + 100)?t=\(tag.uidText)"
            // A record with one URI: short, well known, https://.
            let record = [0xD1, 0x01, UInt8(text.utf8.count + 1), 0x55, 0x04] + Array(text.utf8)
            let memory = (tag as? VirtualISO15693Tag)?.contents ?? (tag as? VirtualType2Tag)?.contents
            #expect(message(in: memory ?? []) == record, "row \(row) on \(tag.uidText)")
        }
        let status = try await Tool.run("provision", "status", "tags.csv", "--json", in: run.folder)
        #expect(try status.json()["proven"] as? Int == tags.count)
    }

    /// Returns the message of a Type 2 or Type 5 Tag.
    ///
    /// On both, the TLVs follow a capability container.
    private static func message(in memory: [UInt8]) -> [UInt8]? {
        let isType5 = memory.first == 0xE1
        var position = isType5 ? 4 : 16
        while position + 1 < memory.count, memory[position] != 0xFE {
            if memory[position] == 0 {
                position += 1
                continue
            }
            let length = Int(memory[position + 1])
            guard length < 0xFF, position + 2 + length <= memory.count else { return nil }
            if memory[position] == 0x03 { return Array(memory[position + 2..<position + 2 + length]) }
            position += 2 + length
        }
        return nil
    }
}
