// A plan that a program carries out: rows for tags on several readers, an interruption, and locks without consent

import Foundation
import Provisioning
import ReaderInterface
import SafeTag
import Synchronization
import TagTypes
import Testing
import VirtualPN532

@Suite struct ProvisionRunTests {
    private final class Log: ProvisionObserver {
        private let finished = Mutex<[Int]>([])
        private let then: @Sendable () -> Void

        init(then: @escaping @Sendable () -> Void = {}) { self.then = then }

        var rows: [Int] { finished.withLock { $0.sorted() } }

        func tell(_ event: ProvisionEvent, on session: TagSession?) {
            guard case .finished(_, let row, _, _, _) = event else { return }
            finished.withLock { $0.append(row.number) }
            then()
        }
    }

    /// Runs a test with a plan of this many rows, and the path of its journal.
    private static func withPlan(
        rows: Int, columns: String = "uri", _ more: String = "", settings: RowSettings = RowSettings(),
        _ test: (CheckedPlan, _ journal: URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = [columns] + (1...rows).map { "https://example.com/\($0)\(more)" }
        let file = folder.appending(path: "tags.csv")
        try lines.map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        let plan = CheckedPlan(path: file.path, recipe: try RowRecipe(options: [], settings: settings))
        try await test(plan, folder.appending(path: "tags.csv.journal"))
    }

    @Test func twoReadersShareARun() async throws {
        try await Self.withPlan(rows: 2) { plan, file in
            try await Bench.with(.ntag213) { one in
                let two = try VirtualReader(field: Field([VirtualTagKind.ntag215.make(serial: 7)]), latency: .none)
                defer { two.stop() }
                let log = Log()
                let run = try ProvisionRun(
                    plan.journal(at: file).journal, plan.recipe,
                    .init(
                        readers: [one.reader.connection, two.connection], patience: .seconds(20),
                        journals: one.journals), observer: log)
                let summary = try await run.run()
                #expect(summary.isComplete && summary.done == 2)
                #expect(log.rows == [1, 2])
            }
        }
    }

    @Test func twoChipsWithTheSameUIDOnTwoReadersGetOneRow() async throws {
        try await Self.withPlan(rows: 2) { plan, file in
            try await Bench.with(.ntag213) { one in
                one.reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 7)])
                let two = try VirtualReader(field: Field([VirtualTagKind.ntag213.make(serial: 7)]), latency: .none)
                defer { two.stop() }
                let log = Log()
                let journal = try plan.journal(at: file).journal
                let run = try ProvisionRun(
                    journal, plan.recipe,
                    .init(
                        readers: [one.reader.connection, two.connection], patience: .seconds(2),
                        journals: one.journals), observer: log)
                let summary = try await run.run()
                #expect(summary.done == 1 && log.rows == [1])
                let uid = try #require(try journal.row(1)?.tag?.uid)
                #expect(try journal.refusal(of: uid)?.cause == .known(.sameUID))
            }
        }
    }

    @Test(arguments: [("ntag424", VirtualTagKind.ntag424, true), ("ntag424", .type4, false)])
    func aChipThatNamesItselfOnlyWhenAskedIsRequired(_ name: String, _ kind: VirtualTagKind, isRight: Bool) async throws
    {
        let settings = RowSettings(require: RequiredChip(named: name))
        #expect(settings.require != nil)
        try await Self.withPlan(rows: 1, settings: settings) { plan, file in
            try await Bench.with(kind) { bench in
                let journal = try plan.journal(at: file).journal
                let run = try ProvisionRun(
                    journal, plan.recipe,
                    .init(
                        readers: [bench.reader.connection], patience: isRight ? .seconds(20) : .seconds(1),
                        journals: bench.journals),
                    observer: Log())
                #expect(try await run.run().isComplete == isRight)
                let row = try #require(try journal.row(1))
                #expect(row.tag?.chip == (isRight ? "NTAG 424 DNA" : nil))
            }
        }
    }

    @Test func aRowThatCannotBeWrittenDoesNotKeepALaterOneFromItsTag() async throws {
        try await Self.withPlan(rows: 1) { plan, file in
            // Create the journal with a chip name that is not known, as another version may have done.
            let journal = try EmbeddedJournal.create(at: file) { insert in
                for (index, chip) in ["ntag215", "no chip", "ntag213"].enumerated() {
                    let fields = [
                        PlanField(name: "uri", value: "https://example.com"), PlanField(name: "require", value: chip),
                    ]
                    try insert(PlanRow(number: index + 1, line: index + 2, fields: fields))
                }
                return PlanIdentity(file: "tags.csv", sha256: "AB12", recipe: [])
            }
            try await Bench.with(.ntag213) { bench in
                let log = Log()
                let run = try ProvisionRun(
                    journal, plan.recipe,
                    .init(
                        readers: [bench.reader.connection], limit: 1, patience: .seconds(20), journals: bench.journals),
                    observer: log)
                try await run.run()
                #expect(log.rows == [3])
            }
        }
    }

    @Test func aRunThatIsInterruptedGoesOnLater() async throws {
        try await Self.withPlan(rows: 2) { plan, file in
            try await Bench.with(.ntag213) { bench in
                let journal = try plan.journal(at: file).journal
                let started = Mutex<ProvisionRun?>(nil)
                let run = try ProvisionRun(
                    journal, plan.recipe,
                    .init(readers: [bench.reader.connection], patience: nil, journals: bench.journals),
                    observer: Log { started.withLock { $0 }?.interrupt() })
                started.withLock { $0 = run }
                await #expect(throws: Interrupted.self) { try await run.run() }
                started.withLock { $0 = nil }
                #expect(try await run.summary().done == 1)
                bench.reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 9)])
                let rest = try ProvisionRun(
                    journal, plan.recipe,
                    .init(readers: [bench.reader.connection], patience: .seconds(20), journals: bench.journals),
                    observer: Log())
                #expect(try await rest.run().isComplete)
            }
        }
    }

    @Test func rowsThatLockTheirTagsNeedAgreement() async throws {
        try await Self.withPlan(rows: 1, columns: "uri,lock", ",yes") { plan, file in
            let journal = try plan.journal(at: file).journal
            let refused = #expect(throws: LocksNotAgreed.self) {
                try ProvisionRun(journal, plan.recipe, .init(readers: ["virtual"]), observer: Log())
            }
            #expect(refused?.row == 1)
            #expect(throws: Never.self) {
                try ProvisionRun(journal, plan.recipe, .init(readers: ["virtual"], mayLock: true), observer: Log())
            }
        }
    }

    // MARK: Tags that are placed again

    private final class Checks: ProvisionObserver {
        private let found = Mutex<[TagCheck]>([])
        var all: [TagCheck] { found.withLock { $0 } }

        func tell(_ event: ProvisionEvent, on session: TagSession?) {
            if case .checked(let check) = event { found.withLock { $0.append(check) } }
        }
    }

    /// Writes one row to a tag, changes the tag, and verifies it.
    private static func verified(
        columns: String = "uri", _ more: String = "", password: Type2Credential? = nil,
        settings: RowSettings = RowSettings(), after change: (VirtualType2Tag) -> VirtualType2Tag? = { _ in nil }
    ) async throws -> (check: TagCheck, record: VerificationRecord) {
        var result: (TagCheck, VerificationRecord)?
        try await withPlan(rows: 1, columns: columns, more, settings: settings) { plan, file in
            try await Bench.with(.ntag213) { bench in
                let tag = try #require(VirtualTagKind.ntag213.make(serial: 7) as? VirtualType2Tag)
                bench.reader.field.replaceAll(with: [tag])
                do {
                    let run = try ProvisionRun(
                        plan.journal(at: file).journal, plan.recipe,
                        .init(
                            readers: [bench.reader.connection], mayLock: true, patience: .seconds(20),
                            journals: bench.journals), observer: Log())
                    #expect(try await run.run().isComplete)
                }
                if let other = change(tag) { bench.reader.field.replaceAll(with: [other]) }
                let checks = Checks()
                let verification = try PlanVerification(
                    EmbeddedJournal.openForReading(file),
                    .init(
                        readers: [bench.reader.connection], opening: password, patience: .seconds(20),
                        journals: bench.journals), observer: checks)
                _ = try await verification.run()
                result = (try #require(checks.all.first), try await verification.record())
            }
        }
        return try #require(result)
    }

    @Test func aTagThatComesAgainAgreesAndIsReported() async throws {
        let (check, record) = try await Self.verified(columns: "uri,lock,protect,password", ",yes,yes,1A2B3C4D")
        #expect(check.agrees && check.content == .same && check.isLocked == true && check.password == .accepted)
        #expect(record.summary.isAgreed && record.summary.unseen.count == 0)
        for format in ReportFormat.allCases {
            let bytes = Mutex<[UInt8]>([])
            try VerificationReport(record).write(format) { piece in bytes.withLock { $0 += piece } }
            let text = String(decoding: bytes.withLock { $0 }, as: UTF8.self)
            #expect(text.contains(check.tag.uid) && !text.contains("1A2B3C4D"), "\(format)")
            if format == .csv {
                #expect(text.contains("row,line,state,uid,chip,seen,agrees,problems"))
                #expect(text.contains(",true,true,,same,true,accepted,"))
            }
        }
    }

    @Test func aTagThatWasChangedDoesNotAgree() async throws {
        // Change four characters of the URL.
        let (check, record) = try await Self.verified {
            $0.store(Array("XXXX".utf8), at: 7)
            return nil
        }
        #expect(check.problems == [.contentChanged] && check.row?.row.number == 1 && !record.summary.isAgreed)
    }

    private static let sealed = (columns: "uri,lock,protect,password", values: ",yes,yes,1A2B3C4D")

    /// Returns a tag with the same UID and the same user memory that has neither lock nor password.
    @Sendable private static func double(of tag: VirtualType2Tag, _ kind: VirtualTagKind) -> VirtualType2Tag? {
        let other = kind.make(uid: tag.nfcID1) as? VirtualType2Tag
        other?.store(Array(tag.contents[16..<160]), at: 4)
        return other
    }

    @Test func anotherChipWithTheSameMessageDoesNotAgree() async throws {
        for kind in [VirtualTagKind.ntag203, .ntag215] {
            let (open, _) = try await Self.verified { Self.double(of: $0, kind) }
            #expect(
                open.problems.contains(.otherChip) && !open.problems.contains(.contentChanged), "\(kind): \(open.words)"
            )
            #expect(open.tag.chip != "NTAG213" && open.row?.tag?.chip == "NTAG213")
            let (closed, _) = try await Self.verified(columns: Self.sealed.columns, Self.sealed.values) {
                Self.double(of: $0, kind)
            }
            #expect(closed.problems.contains(.otherChip) && closed.problems.contains(.notProtected), "\(closed.words)")
            #expect(closed.problems.contains(.notLocked))
        }
    }

    @Test func theChipThatARowRequiresIsCompared() async throws {
        let required = RowSettings(require: RequiredChip(named: "ntag213"))
        #expect(try await Self.verified(settings: required).check.problems == [])
        let (check, _) = try await Self.verified(settings: required) { Self.double(of: $0, .ntag215) }
        #expect(check.problems.contains(.otherChip))
        #expect(try await Self.verified(columns: "uri,require", ",ntag213").check.problems == [])
    }

    @Test func aLockIsSeenWithoutThePassword() async throws {
        let general = RowSettings(
            protect: true, password: Type2Password(pwd: [0x1A, 0x2B, 0x3C, 0x4D]).map { .password($0) })
        let (check, _) = try await Self.verified(columns: "uri,lock", ",yes", settings: general)
        #expect(check.problems == [] && check.password == .asked && check.isLocked == true, "\(check.words)")
        let (open, _) = try await Self.verified(settings: general)
        #expect(open.problems == [] && open.password == .asked && open.isLocked == false, "\(open.words)")
    }

    private static let credential = Type2Password(pwd: [0x1A, 0x2B, 0x3C, 0x4D]).map { Type2Credential.password($0) }

    @Test func aPasswordThatProtectsFewerBlocksDoesNotAgree() async throws {
        let general = RowSettings(protect: true, password: Self.credential)
        for password in [Self.credential, nil] {
            // AUTH0 16, ACCESS 00.
            let (check, _) = try await Self.verified(password: password, settings: general) { tag in
                tag.store([0x04, 0x00, 0x00, 16, 0x00, 0x05, 0x00, 0x00], at: 41)
                return nil
            }
            #expect(check.problems == [.partlyProtected] && check.protectedFrom == 16, "\(check.words)")
            #expect(check.isReadingProtected == false && check.isPasswordMissing == (password == nil))
        }
    }

    @Test func aPasswordForReadingDoesNotAgree() async throws {
        let general = RowSettings(protect: true, password: Self.credential)
        for password in [Self.credential, nil] {
            // AUTH0 4, ACCESS with PROT.
            let (check, _) = try await Self.verified(password: password, settings: general) { tag in
                tag.store([0x04, 0x00, 0x00, 4, 0x80, 0x05, 0x00, 0x00], at: 41)
                return nil
            }
            #expect(check.isReadingProtected == true && check.problems.contains(.readingProtected), "\(check.words)")
            // The configuration is read only if the password was sent.
            #expect(check.protectedFrom == (check.password == .accepted ? 4 : nil))
            if password == nil { #expect(check.password == .asked) }
        }
    }

    /// The password protects reading from block 40 on, which contains the dynamic lock bits.
    @Test func aLockThatCannotBeReadIsNotKnown() async throws {
        let (check, _) = try await Self.verified(columns: "uri,lock", ",yes") { tag in
            tag.store([0x04, 0x00, 0x00, 40, 0x80, 0x05, 0x00, 0x00], at: 41)
            return nil
        }
        #expect(check.problems == [.lockUnknown, .protected] && check.isLocked == nil, "\(check.words)")
    }
}
