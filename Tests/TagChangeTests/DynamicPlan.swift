// A plan for NTAG 424 DNA tags that sign their URLs, a tag on a reader, runs and verifications

import Foundation
import Provisioning
import ReaderInterface
import ReaderSession
import SafeTag
import SecureDynamicMessaging
import Synchronization
import TagTypes
import VirtualPN532

enum DynamicPlan {
    static let master = "00112233445566778899AABBCCDDEEFF"
    static let shared = "0F0E0D0C0B0A09080706050403020100"
    static let template = "https://example.com/{id}?e={picc}&c={mac}"

    static func keyFile(_ master: String = master) throws -> SDMKeyFile {
        try SDMKeyFile("diversify = AN10922\nsystem = Test\n\(master)\nmeta = \(shared)\n")
    }

    /// The events of a run or a verification.
    final class Log: ProvisionObserver {
        private let heard = Mutex<[ProvisionEvent]>([])
        var events: [ProvisionEvent] { heard.withLock { $0 } }

        func tell(_ event: ProvisionEvent, on session: TagSession?) { heard.withLock { $0.append(event) } }

        var refusals: [RefusalCause] {
            events.compactMap { if case .refused(_, .known(let cause), _, _) = $0 { cause } else { nil } }
        }
        var check: TagCheck? {
            events.lazy.compactMap { if case .checked(let check) = $0 { check } else { nil } }.first
        }
    }

    /// Creates a plan with this many rows in a folder, and a bench with one tag.
    static func with(
        rows: Int = 1, template: String = template, _ keys: SDMKeyFile? = nil,
        _ test: (Bench, CheckedPlan, _ journal: URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tags.csv")
        try "id\n\((1...rows).map { "a b/\($0)\n" }.joined())".write(to: file, atomically: true, encoding: .utf8)
        let dynamic = DynamicRecipe(template: template, keys: try keys ?? keyFile(), keyVersion: 7)
        let plan = CheckedPlan(
            path: file.path, recipe: try RowRecipe(options: [], settings: RowSettings(), dynamic: dynamic))
        try await Bench.with(.ntag424) { bench in try await test(bench, plan, folder.appending(path: "journal")) }
    }

    @discardableResult
    static func run(
        _ bench: Bench, _ plan: CheckedPlan, _ journal: URL, patience: Duration = .seconds(5)
    ) async throws -> (log: Log, summary: ProvisionSummary) {
        let log = Log()
        var setup = ProvisionRun.Setup(
            readers: [bench.reader.connection], patience: patience, journals: bench.journals)
        setup.mayChangeKeys = true
        let run = try ProvisionRun(plan.journal(at: journal).journal, plan.recipe, setup, observer: log)
        return (log, try await run.run())
    }

    static func verified(_ bench: Bench, _ journal: URL, _ keys: SDMKeyFile?) async throws -> TagCheck? {
        let log = Log()
        var setup = ProvisionRun.Setup(
            readers: [bench.reader.connection], patience: .seconds(5), journals: bench.journals)
        setup.tagKeys = keys
        let file = try EmbeddedJournal.openForReading(journal)
        _ = try await PlanVerification(file, setup, observer: log).run()
        return log.check
    }

    static func uid(_ bench: Bench) async throws -> [UInt8] {
        try await bench.session { try await $0.onlyTag(within: .seconds(10)).target.identifier }
    }
}
