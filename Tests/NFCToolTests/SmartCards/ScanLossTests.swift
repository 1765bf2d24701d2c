// A scan whose reader is unplugged, whose pcscd dies, and whose tags are pulled: every tag that stays is reported

import Chance
import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

extension BuiltBinarySmartCards {
    @Suite struct ScanLossTests {
        private static let seed: UInt64 = 0x1552
        private static let unplugs = Campaign.count(10, long: 100)
        private static let kills = Campaign.count(3, long: 20)
        private static let pulls = Campaign.count(2, long: 20)
        /// The maximum wait for an event, which is far more time than a loaded machine needs.
        private static let patience = Duration.seconds(10)

        @Test func scanWaitsForAnUnpluggedReaderAndReportsEveryTag() async throws {
            let events = try await scan("unplugged in scan", Self.unplugs) { _, reader in
                reader.unplug()
            } restoring: { desk in
                try desk.readers[0].plug()
            }
            let reasons = Set(events.filter { $0.event == "readerLost" }.compactMap(\.message))
            #expect(reasons == ["The reader is no longer connected."])
        }

        @Test func noTagIsLostWhenTheDaemonIsKilledAndRestarted() async throws {
            let events = try await scan("pcscd killed in scan", Self.kills) { daemon, _ in
                daemon.kill()
            } restoring: { desk in
                try desk.daemon.restart()
            }
            let reasons = events.filter { $0.event == "readerLost" }.compactMap(\.message)
            #expect(reasons.allSatisfy { $0.contains("pcscd is not running") }, "\(reasons)")
        }

        @Test(arguments: PCSCFaults.PullReport.allCases)
        func aTagPulledDuringAReadIsReportedWhenItReturns(report: PCSCFaults.PullReport) async throws {
            let desk = try SmartCardDesk(.acr1552u)
            let reader = desk.readers[0]
            var waits = LongestWait()
            var chance = SplitMix(state: Self.seed)
            try await run(desk) { tool in
                for _ in 0..<Self.pulls {
                    let tag = desk.newTag(for: reader)
                    var faults = PCSCFaults()
                    let command = Int.random(in: 1...6, using: &chance)
                    (faults.pull, faults.pullReport) = (command, report)
                    faults.tag.back = .milliseconds(Int.random(in: 10...80, using: &chance))
                    reader.faults = faults
                    let (start, before) = (ContinuousClock.now, reader.transmits)
                    desk.swap(on: reader, for: tag)
                    try await desk.hear(tool) { $0.event == "tag" && $0.uid == tag.uidText }
                    waits.add(since: start)
                    #expect(reader.transmits - before > command)
                }
            }
            print("pulled in scan (\(report)): \(waits.text)")
            #expect(waits.longest < Self.patience)
            #expect(!desk.told.contains { $0.event == "readerLost" })
        }

        /// Causes a loss repeatedly, during a command to a tag or between tags.
        ///
        /// Another tag is on the reader after each loss, and must be reported.
        private func scan(
            _ name: String, _ count: Int,
            losing lose: @escaping @Sendable (PrivatePCSCDaemon, VirtualPCSCReader) -> Void,
            restoring restore: (SmartCardDesk) throws -> Void
        ) async throws -> [SmartCardEvent] {
            let desk = try SmartCardDesk(.acr1552u)
            let reader = desk.readers[0]
            var waits = LongestWait()
            var chance = SplitMix(state: Self.seed)
            try await run(desk) { tool in
                for _ in 0..<count {
                    let (first, tag) = (desk.newTag(for: reader), desk.newTag(for: reader))
                    let loss = PlannedLoss { [daemon = desk.daemon] in lose(daemon, reader) }
                    if Bool.random(using: &chance) {
                        reader.onTransmit(Int.random(in: 1...6, using: &chance), loss.begin)
                        desk.swap(on: reader, for: first)
                        try await loss.heard(on: desk, tool)
                        desk.swap(on: reader, for: tag)
                    } else {
                        desk.swap(on: reader, for: first)
                        try await desk.hear(tool) { $0.event == "tag" && $0.uid == first.uidText }
                        loss.begin()
                        desk.swap(on: reader, for: tag)
                        // Repair the loss immediately, or as soon as nfctool has reported it.
                        if Bool.random(using: &chance) { try await loss.heard(on: desk, tool) }
                    }
                    try restore(desk)
                    let start = ContinuousClock.now
                    try await desk.hear(tool) { $0.event == "tag" && $0.uid == tag.uidText }
                    waits.add(since: start)
                }
            }
            let losses = desk.told.count { $0.event == "readerLost" }
            print("\(name): \(waits.text); told of \(losses) losses")
            #expect(waits.longest < Self.patience)
            #expect(losses > 0)
            #expect(desk.told.count { $0.event == "reader" } == losses)
            return desk.told
        }

        /// Runs a scan until the work is done, and checks that no tag is reported twice without having left.
        private func run(_ desk: SmartCardDesk, _ work: (RunningTool) async throws -> Void) async throws {
            let reader = desk.readers[0]
            let outcome = try await Tool.withFolder { folder in
                try await desk.run(
                    ["scan", "--json", "--reader", "pcsc:ACS ACR1552"], in: folder, limit: .seconds(300)
                ) { tool in
                    // Before a reader was open once, its absence is an error.
                    let first = desk.newTag(for: reader)
                    desk.swap(on: reader, for: first)
                    try await desk.hear(tool) { $0.uid == first.uidText }
                    try await work(tool)
                    tool.send(SIGTERM)
                }
            }
            #expect(outcome.status == 143 || outcome.status == 130, "\(outcome.status) \(outcome.errors)")
            var present: Set<String> = []
            for event in desk.told {
                guard let uid = event.uid else { continue }
                if event.event == "tag" {
                    #expect(present.insert(uid).inserted, "\(uid) is told twice")
                } else if event.event == "removed" {
                    present.remove(uid)
                }
            }
        }
    }
}
