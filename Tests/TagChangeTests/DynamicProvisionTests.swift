// A plan for NTAG 424 DNA tags that sign their URLs: each tag has its own keys, and is verified when it is placed again

import Composing
import Foundation
import Provisioning
import ReaderInterface
import SafeTag
import SecureDynamicMessaging
import Synchronization
import TagTypes
import Testing
import VirtualPN532

@Suite struct DynamicProvisionTests {
    @Test(arguments: [DynamicPlan.template, "https://example.com/{n:03}/{uid}x{counter}/{signed}{id}{mac}"])
    func eachTagSignsItsURLWithItsOwnKeys(template: String) async throws {
        try await DynamicPlan.with(template: template) { bench, plan, journal in
            let (_, summary) = try await DynamicPlan.run(bench, plan, journal)
            #expect(summary.isComplete)
            let keys = try DynamicPlan.keyFile().keys(of: await DynamicPlan.uid(bench))
            let status = try await bench.status(keys)
            #expect(status.isKeyRight.count == 5 && status.isKeyRight.values.allSatisfy { $0 })
            #expect(status.keyVersions == [7, 7, 7, 7, 7])
            let address = try #require(
                String(bytes: try await bench.message().dropFirst(5), encoding: .utf8).map { "https://" + $0 })
            #expect(address.contains("a%20b%2F1"))
            #expect(try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())?.agrees == true)
            // In the next run, the plan is already complete, so nothing is done again.
            let again = try await DynamicPlan.run(bench, plan, journal)
            #expect(again.summary.isComplete)
        }
    }

    @Test func tagsWithOtherKeysGetNoRowAndStayAsTheyAre() async throws {
        try await DynamicPlan.with { bench, plan, journal in
            let other = SDMKeys([0: try #require(AES128Key([UInt8](repeating: 0xAA, count: 16)))])
            _ = try await bench.changeKeys(KeyChange(from: .factory, to: other, version: 3), asking: Answers(true))
            let (log, summary) = try await DynamicPlan.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(log.refusals == [.otherKeys] && summary.counts.pending == 1)
            #expect(try await bench.status(other).keyVersions == [3, 0, 0, 0, 0])
        }
        // A tag with a message that is not from the row, and a tag of another kind.
        try await DynamicPlan.with { bench, plan, journal in
            try await bench.write(try Bench.text("https://example.com/old"))
            let foreign = try await DynamicPlan.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(foreign.log.refusals == [.foreignContent])
            #expect(try await bench.status(.factory).keyVersions == [0, 0, 0, 0, 0])
            bench.reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 9)])
            let wrong = try await DynamicPlan.run(bench, plan, journal, patience: .milliseconds(300))
            #expect(wrong.log.refusals == [.wrongChip])
        }
    }

    @Test func aMessageRecipeLeavesATagThatSignsAlone() async throws {
        try await DynamicPlan.with { bench, plan, journal in
            try await DynamicPlan.run(bench, plan, journal)
            let settings = RowSettings(overwrite: .always)
            let recipe = try RowRecipe(options: [.init(name: .text, value: "{id}")], settings: settings)
            let other = CheckedPlan(plan.source, recipe: recipe)
            let (log, _) = try await DynamicPlan.run(
                bench, other, journal.appendingPathExtension("2"), patience: .milliseconds(300))
            #expect(log.refusals == [.dynamicMessage])
            #expect(try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())?.agrees == true)
        }
    }

    @Test func anotherURLAndOtherKeysAreFoundOut() async throws {
        try await DynamicPlan.with { bench, plan, journal in
            try await DynamicPlan.run(bench, plan, journal)
            let other = try DynamicPlan.keyFile(String(DynamicPlan.master.reversed()))
            await #expect(throws: OtherPassword.self) { _ = try await DynamicPlan.verified(bench, journal, other) }
            await #expect(throws: OtherPassword.self) { _ = try await DynamicPlan.verified(bench, journal, nil) }
            #expect(throws: OtherPassword.self) {
                let dynamic = DynamicRecipe(template: DynamicPlan.template, keys: other, keyVersion: 7)
                let recipe = try RowRecipe(options: [], settings: RowSettings(), dynamic: dynamic)
                _ = try CheckedPlan(plan.source, recipe: recipe).journal(at: journal)
            }
            // With signing turned off, the tag returns the URL of its last tap. Such a tag is like a copy, which no
            // journal may mistake for the tag.
            let keys = try DynamicPlan.keyFile().keys(of: await DynamicPlan.uid(bench))
            let message = try await bench.message()
            _ = try await bench.reset(keys, asking: Answers(true))
            try await bench.write(message)
            let check = try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())
            // Its MAC matches its counter, so a tap alone does not reveal the copy.
            #expect(check?.content == .same)
            try await bench.write(message.dropLast() + [UInt8(ascii: "x")])
            let changed = try await DynamicPlan.verified(bench, journal, DynamicPlan.keyFile())
            #expect(changed?.problems == [.contentChanged] && changed?.reason?.isEmpty == false)
        }
    }

    @Test func keysAreChangedOnlyOnceThatIsAgreedTo() async throws {
        try await DynamicPlan.with { bench, plan, journal in
            #expect(throws: KeysNotAgreed.self) {
                try ProvisionRun(
                    plan.journal(at: journal).journal, plan.recipe, .init(readers: [bench.reader.connection]),
                    observer: DynamicPlan.Log())
            }
        }
    }

    @Test func reportsNameTheVersionOfTheKeysAndNoKey() async throws {
        try await DynamicPlan.with { bench, plan, file in
            try await DynamicPlan.run(bench, plan, file)
            let uid = try await DynamicPlan.uid(bench)
            let keys = try DynamicPlan.keyFile().keys(of: uid)
            let journal = try EmbeddedJournal.openForReading(file)
            for format in ReportFormat.allCases {
                let bytes = Mutex<[UInt8]>([])
                try ProvisionReport(journal, showsSecrets: true).write(format) { piece in bytes.withLock { $0 += piece }
                }
                let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
                #expect(text.contains(uid.map { String($0, radix: 16, uppercase: true).leftPadded }.joined()))
                for key in [DynamicPlan.master, DynamicPlan.shared] + (0..<5).map({ "\(keys[$0].hexForTests)" }) {
                    #expect(!text.uppercased().contains(key))
                }
                switch format {
                case .csv: #expect(text.contains("begun,keyVersion,plan.id") && text.contains(",7,a b/1"))
                case .tsv: #expect(text.contains("begun\tkeyVersion\tplan.id") && text.contains("\t7\ta b/1"))
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
    /// Hexadecimal text for a comparison with values that must not be shown.
    fileprivate var hexForTests: String { bytes.map { String($0, radix: 16, uppercase: true).leftPadded }.joined() }
}
