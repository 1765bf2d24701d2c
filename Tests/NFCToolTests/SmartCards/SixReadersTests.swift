// Four PC/SC readers and two readers that libnfc drives, which work on one plan in one `provision` process

import Chance
import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

extension BuiltBinarySmartCards {
    @Suite struct SixReadersTests {
        /// The number of tags that come to each reader, one after the other.
        private static let count = Campaign.count(4, long: 50)
        private static let models = [PCSCReaderModel.acr1552u, .acr1252u, .utrust3721f, .rcS300]

        @Test func libnfcAndPCSCReadersShareAPlan() async throws {
            var tags: [any VirtualContactlessCard] = []
            func field(_ kind: (Int) -> any VirtualContactlessCard) -> Field {
                let stream = (0..<Self.count).map { kind(tags.count + $0 + 1) }
                tags += stream
                // The tag stays long enough for a write on a busy machine.
                return Field(stream: stream, dwell: .seconds(1), gap: .milliseconds(20))
            }
            let smart = Self.models.map { model in
                VirtualPCSCReader(
                    model: model, name: nil,
                    field: field { number in
                        model.technologies.contains(.iso15693)
                            ? VirtualISO15693Tag(chip: .icodeSLIX2, serial: UInt16(number), isFormatted: true)
                            : VirtualTagKind.ntag213.make(serial: number)
                    }, latency: .none)
            }
            let others = try [VirtualTagKind.ntag215, .ntag216].map { kind in
                try VirtualReader(field: field { kind.make(serial: $0) })
            }
            defer { for reader in others { reader.stop() } }
            let desk = try SmartCardDesk(smart)
            let names = smart.map { "pcsc:\($0.friendlyName)" } + others.map(\.connection)
            try await ProvisionRun.with { run in
                try run.plan(tags.count)
                let start = ContinuousClock.now
                let outcome = try await desk.run(
                    ["provision", "tags.csv", "--uri", run.uri, "--json", "--timeout", "20s"]
                        + names.flatMap { ["--reader", $0] }, in: run.folder, limit: .seconds(200)
                ) { _ in }
                print("six readers: \(tags.count) rows in \(ContinuousClock.now - start)")
                #expect(outcome.status == 0, "\(outcome.output.suffix(3_000)) \(outcome.errors)")
                try await BuiltBinarySmartCards.verify(tags, desk.told, run)
                let rows = desk.told.filter { $0.event == "row" }
                for name in names {
                    let share = rows.count { $0.reader == name }
                    #expect(share == Self.count, "\(name) did \(share) rows")
                }
                #expect(!desk.told.contains { $0.event == "readerLost" })
            }
        }

        @Test func theSecondNameOfAReaderIsRefused() async throws {
            let desk = try SmartCardDesk(.acr1552u)
            let reader = desk.readers[0]
            let tag = desk.newTag(for: reader)
            try await ProvisionRun.with { run in
                try run.plan(1)
                let outcome = try await desk.run(
                    ["provision", "tags.csv", "--uri", run.uri, "--json", "--reader", "pcsc:ACS", "--reader", "auto"],
                    in: run.folder, limit: .seconds(30)
                ) { tool in
                    try await desk.hear(tool) { $0.event == "readerLost" }
                    desk.swap(on: reader, for: tag)
                }
                #expect(outcome.status == 0, "\(outcome.errors)")
                let refused = desk.told.filter { $0.event == "readerLost" }.compactMap(\.message)
                #expect(refused.count == 1)
                #expect(refused.allSatisfy { $0.contains("in use by another session of this program") }, "\(refused)")
                try await BuiltBinarySmartCards.verify([tag], desk.told, run)
            }
        }
    }
}
