// A plan on NTAG 424 DNA tags that sign their URLs: keys of their own, pulled away at any command, verified when they come again

import Chance
import Composing
import Foundation
import Provisioning
import ReaderInterface
import ReaderSession
import SafeTag
import SecureDynamicMessaging
import Synchronization
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

// One after the other: hundreds of readers at once are more than a process can open.
@Suite(.serialized) struct DynamicProvisionTests {
    private static let master = "00112233445566778899AABBCCDDEEFF"
    private static let shared = "0F0E0D0C0B0A09080706050403020100"
    private static let template = "https://example.com/{id}?e={picc}&c={mac}"

    private static func keyFile(_ master: String = master) throws -> SDMKeyFile {
        try SDMKeyFile("diversify = AN10922\nsystem = Test\n\(master)\nmeta = \(shared)\n")
    }

    /// What a run or a verification told.
    private final class Log: ProvisionObserver {
        private let heard = Mutex<[ProvisionEvent]>([])
        var events: [ProvisionEvent] { heard.withLock { $0 } }

        func tell(_ event: ProvisionEvent, on session: TagSession?) { heard.withLock { $0.append(event) } }

        var refusals: [RefusalCause] {
            events.compactMap { if case .refused(_, let cause, _, _) = $0 { cause } else { nil } }
        }
        var check: TagCheck? {
            events.lazy.compactMap { if case .checked(let check) = $0 { check } else { nil } }.first
        }
    }

    /// A plan of so many rows in a folder, and a bench with one tag.
    private static func with(
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
    private static func run(
        _ bench: Bench, _ plan: CheckedPlan, _ journal: URL, patience: Duration = .seconds(5)
    ) async throws -> (log: Log, summary: ProvisionSummary) {
        let log = Log()
        var setup = ProvisionRun.Setup(
            readers: [bench.reader.connection], patience: patience, journals: bench.journals)
        setup.mayChangeKeys = true
        let run = try ProvisionRun(plan.journal(at: journal).journal, plan.recipe, setup, observer: log)
        return (log, try await run.run())
    }

    private static func verified(_ bench: Bench, _ journal: URL, _ keys: SDMKeyFile?) async throws -> TagCheck? {
        let log = Log()
        var setup = ProvisionRun.Setup(
            readers: [bench.reader.connection], patience: .seconds(5), journals: bench.journals)
        setup.tagKeys = keys
        let file = try ProvisionJournal.openForReading(journal)
        _ = try await PlanVerification(file, setup, observer: log).run()
        return log.check
    }

    private static func uid(_ bench: Bench) async throws -> [UInt8] {
        try await bench.session { try await $0.onlyTag(within: .seconds(10)).target.identifier }
    }

    @Test(arguments: [template, "https://example.com/{n:03}/{uid}x{counter}/{signed}{id}{mac}"])
    func eachTagSignsItsURLWithItsOwnKeys(template: String) async throws {
        try await Self.with(template: template) { bench, plan, journal in
            let (_, summary) = try await Self.run(bench, plan, journal)
            #expect(summary.isComplete)
            let keys = try Self.keyFile().keys(of: await Self.uid(bench))
            let status = try await bench.status(keys)
            #expect(status.isKeyRight.count == 5 && status.isKeyRight.values.allSatisfy { $0 })
            #expect(status.keyVersions == [7, 7, 7, 7, 7])
            let address = try #require(
                String(bytes: try await bench.message().dropFirst(5), encoding: .utf8).map { "https://" + $0 })
            #expect(address.contains("a%20b%2F1"))
            #expect(try await Self.verified(bench, journal, Self.keyFile())?.agrees == true)
            // Told, and nothing is done again.
            let again = try await Self.run(bench, plan, journal)
            #expect(again.summary.isComplete)
        }
    }

    @Test(arguments: Array(Campaign.cuts(through: 260, every: 43)))
    func aTagThatWasPulledAwayIsFinishedByItsRow(cut: Int) async throws {
        try await Self.with { bench, plan, journal in
            bench.reader.faults.back = .milliseconds(20)
            if cut.isMultiple(of: 2) { bench.reader.faults.tear = cut } else { bench.reader.faults.loss = cut }
            let (log, summary) = try await Self.run(bench, plan, journal)
            #expect(summary.isComplete, "\(log.events)")
            #expect(log.refusals.isEmpty)
            bench.reader.faults.tear = nil
            bench.reader.faults.loss = nil
            let keys = try Self.keyFile().keys(of: await Self.uid(bench))
            let status = try await bench.status(keys)
            #expect(status.isKeyRight.values.allSatisfy { $0 } && status.keyVersions == [7, 7, 7, 7, 7])
            #expect(try bench.journals.writes.entries().entries.isEmpty)
            #expect(try await Self.verified(bench, journal, Self.keyFile())?.agrees == true)
        }
    }

    /// The tag stays away, and comes back in another run.
    @Test(arguments: Array(Campaign.cuts(through: 200, every: 61)))
    func aRunThatEndedInTheMiddleIsGoneOnWith(cut: Int) async throws {
        try await Self.with { bench, plan, journal in
            bench.reader.faults.back = .seconds(2)
            bench.reader.faults.tear = cut
            let first = try await Self.run(bench, plan, journal, patience: .milliseconds(300))
            bench.reader.faults.tear = nil
            if !first.summary.isComplete {
                let journal = try ProvisionJournal.openForReading(journal)
                let states = try journal.counts().filter { $0.value > 0 }.keys
                #expect(states.allSatisfy { [.pending, .bound, .written, .proven].contains($0) })
            }
            let second = try await Self.run(bench, plan, journal)
            #expect(second.summary.isComplete, "\(second.log.events)")
            #expect(try await Self.verified(bench, journal, Self.keyFile())?.agrees == true)
        }
    }

    @Test func tagsWithOtherKeysGetNoRowAndStayAsTheyAre() async throws {
        try await Self.with { bench, plan, journal in
            let other = SDMKeys([0: try #require(AES128Key([UInt8](repeating: 0xAA, count: 16)))])
            _ = try await bench.changeKeys(KeyChange(from: .factory, to: other, version: 3), asking: Answers(true))
            let (log, summary) = try await Self.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(log.refusals == [.otherKeys] && summary.counts.pending == 1)
            #expect(try await bench.status(other).keyVersions == [3, 0, 0, 0, 0])
        }
        // A message that is not the row's, and a tag of another kind.
        try await Self.with { bench, plan, journal in
            try await bench.write(try Bench.text("https://example.com/old"))
            let foreign = try await Self.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(foreign.log.refusals == [.foreignContent])
            #expect(try await bench.status(.factory).keyVersions == [0, 0, 0, 0, 0])
            bench.reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 9)])
            let wrong = try await Self.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(wrong.log.refusals == [.wrongChip])
        }
    }

    @Test func aMessageRecipeLeavesATagThatSignsAlone() async throws {
        try await Self.with { bench, plan, journal in
            try await Self.run(bench, plan, journal)
            let settings = RowSettings(overwrite: .always)
            let recipe = try RowRecipe(options: [.init(name: .text, value: "{id}")], settings: settings)
            let other = CheckedPlan(plan.source, recipe: recipe)
            let (log, _) = try await Self.run(
                bench, other, journal.appendingPathExtension("2"), patience: .milliseconds(300))
            #expect(log.refusals == [.dynamicMessage])
            #expect(try await Self.verified(bench, journal, Self.keyFile())?.agrees == true)
        }
    }

    @Test func anotherURLAndOtherKeysAreFoundOut() async throws {
        try await Self.with { bench, plan, journal in
            try await Self.run(bench, plan, journal)
            let other = try Self.keyFile(String(Self.master.reversed()))
            await #expect(throws: OtherPassword.self) { _ = try await Self.verified(bench, journal, other) }
            await #expect(throws: OtherPassword.self) { _ = try await Self.verified(bench, journal, nil) }
            #expect(throws: OtherPassword.self) {
                let dynamic = DynamicRecipe(template: Self.template, keys: other, keyVersion: 7)
                let recipe = try RowRecipe(options: [], settings: RowSettings(), dynamic: dynamic)
                _ = try CheckedPlan(plan.source, recipe: recipe).journal(at: journal)
            }
            // Turned off, the tag gives the URL that it was last seen with: a copy, which no journal may take for the tag.
            let keys = try Self.keyFile().keys(of: await Self.uid(bench))
            let message = try await bench.message()
            _ = try await bench.reset(keys, asking: Answers(true))
            try await bench.write(message)
            let check = try await Self.verified(bench, journal, Self.keyFile())
            // Its MAC is that of its counter, so a tap alone does not tell.
            #expect(check?.content == .same)
            try await bench.write(message.dropLast() + [UInt8(ascii: "x")])
            let changed = try await Self.verified(bench, journal, Self.keyFile())
            #expect(changed?.problems == [.contentChanged] && changed?.reason?.isEmpty == false)
        }
    }

    @Test func keysAreChangedOnlyOnceThatIsAgreedTo() async throws {
        try await Self.with { bench, plan, journal in
            #expect(throws: KeysNotAgreed.self) {
                try ProvisionRun(
                    plan.journal(at: journal).journal, plan.recipe, .init(readers: [bench.reader.connection]),
                    observer: Log())
            }
        }
    }

    @Test func reportsNameTheVersionOfTheKeysAndNoKey() async throws {
        try await Self.with { bench, plan, file in
            try await Self.run(bench, plan, file)
            let uid = try await Self.uid(bench)
            let keys = try Self.keyFile().keys(of: uid)
            let journal = try ProvisionJournal.openForReading(file)
            for format in ReportFormat.allCases {
                let bytes = Mutex<[UInt8]>([])
                try ProvisionReport(journal, showsSecrets: true).write(format) { piece in bytes.withLock { $0 += piece }
                }
                let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
                #expect(text.contains(uid.map { String($0, radix: 16, uppercase: true).leftPadded }.joined()))
                for key in [Self.master, Self.shared] + (0..<5).map({ "\(keys[$0].hexForTests)" }) {
                    #expect(!text.uppercased().contains(key))
                }
                switch format {
                case .csv: #expect(text.contains("reason,keyVersion,plan.id") && text.contains(",7,a b/1"))
                case .jsonLines: #expect(text.contains("\"keyVersion\":7"))
                case .html: #expect(text.contains("<dt>Key version</dt><dd>7</dd>"))
                }
            }
        }
    }
}

extension String {
    fileprivate var leftPadded: String { count == 1 ? "0" + self : self }
}

extension AES128Key {
    /// For a comparison with what must not be told.
    fileprivate var hexForTests: String { bytes.map { String($0, radix: 16, uppercase: true).leftPadded }.joined() }
}
