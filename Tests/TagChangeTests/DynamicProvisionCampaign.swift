// A tag that will sign its URL is removed at any command: its row is finished in the same run or in the next one

import Chance
import Foundation
import Provisioning
import SafeTag
import SecureDynamicMessaging
import Testing
import VirtualPN532
import WriteJournal

// The tests run one after the other, because a process cannot open hundreds of readers at once.
@Suite(.serialized) struct DynamicProvisionCampaign {
    @Test(arguments: Array(Campaign.cuts(through: 260, every: 43)))
    func aTagThatWasPulledAwayIsFinishedByItsRow(cut: Int) async throws {
        try await DynamicPlan.with { bench, plan, journal in
            bench.reader.faults.back = .milliseconds(20)
            if cut.isMultiple(of: 2) { bench.reader.faults.tear = cut } else { bench.reader.faults.loss = cut }
            let (log, summary) = try await DynamicPlan.run(bench, plan, journal)
            #expect(summary.isComplete, "\(log.events)")
            #expect(log.refusals.isEmpty)
            bench.reader.faults.tear = nil
            bench.reader.faults.loss = nil
            let keys = try DynamicPlan.keyFile().keys(of: await DynamicPlan.uid(bench))
            let status = try await bench.status(keys)
            #expect(status.isKeyRight.values.allSatisfy { $0 } && status.keyVersions == [7, 7, 7, 7, 7])
            #expect(try bench.journals.writes.entries().entries.isEmpty)
            #expect(try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())?.agrees == true)
        }
    }

    /// The tag stays away, and comes back in another run.
    @Test(arguments: Array(Campaign.cuts(through: 200, every: 61)))
    func aRunThatEndedInTheMiddleIsGoneOnWith(cut: Int) async throws {
        try await DynamicPlan.with { bench, plan, journal in
            bench.reader.faults.back = .seconds(2)
            bench.reader.faults.tear = cut
            let first = try await DynamicPlan.run(bench, plan, journal, patience: .milliseconds(300))
            bench.reader.faults.tear = nil
            if !first.summary.isComplete {
                let journal = try EmbeddedJournal.openForReading(journal)
                let states = try journal.counts().filter { $0.value > 0 }.keys
                #expect(states.allSatisfy { [.pending, .bound, .written, .proven].contains($0) })
            }
            let second = try await DynamicPlan.run(bench, plan, journal)
            #expect(second.summary.isComplete, "\(second.log.events)")
            #expect(try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())?.agrees == true)
        }
    }
}
