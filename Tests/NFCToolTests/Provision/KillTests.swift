// A provisioning that is killed repeatedly, while tags tear, refuse and leave: no row is lost, duplicated or unverified

import Chance
import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct KillTests {
        private static let rows = Campaign.count(100, long: 300)
        private static let kills = Campaign.count(60, long: 200)
        private static let seed: UInt64 = 0x0411_571F
        private static let plan = "plan.csv"
        private static let journal = "plan.csv.journal"

        @Test func killsLoseDoubleAndLeaveNothing() async throws {
            try await Tool.withFolder { folder in
                var chance = SplitMix(state: Self.seed)
                try Self.writePlan(rows: Self.rows, to: folder, &chance)
                let desk = try Operator(rows: Self.rows, kills: Self.kills, seed: chance.next())
                var runs = 0
                while await desk.kills < Self.kills {
                    runs += 1
                    guard runs <= 2 * Self.kills else { throw NeverDone() }
                    let moment = KillMoment.random(&chance, isBeginning: runs <= 10, within: await desk.deliveryTime)
                    let outcome = try await Self.run(by: desk, killedAt: moment, in: folder)
                    if outcome.status == -SIGKILL {
                        try Self.keepJournal(of: await desk.noteKill(), in: folder)
                    } else {
                        // The run ended before it was killed, because it printed nothing or its reader had a fault.
                        #expect([74, 75].contains(outcome.status), "\(outcome.errors)")
                    }
                }
                var last = try await Self.run(by: desk, killedAt: .never, in: folder)
                for _ in 0..<5 where last.status != 0 {
                    last = try await Self.run(by: desk, killedAt: .never, in: folder)
                }
                #expect(last.status == 0, "\(last.errors)")
                let again = try await Self.run(by: desk, killedAt: .never, in: folder)
                #expect(again.status == 0, "\(again.errors)")

                try await desk.keepTags(in: folder)
                let audit = try await ProvisionAudit.run(in: folder)
                print("\(await desk.summary); runs \(runs + 2); killed at \(audit.killedAt.sorted { $0.key < $1.key })")
                #expect(audit.findings == [])
                #expect(audit.proven == Self.rows)
                #expect(audit.killedAt.values.reduce(0, +) == Self.kills)
                // Some kills must happen while a tag is being written.
                for state in ["bound", "written", "proven"] {
                    #expect(audit.killedAt[state, default: 0] > 0, "\(state)")
                }
            }
        }

        /// Tests the audit itself: it must find errors that are there.
        @Test func theAuditSeesWhatIsWrong() async throws {
            try await Tool.withFolder { folder in
                var chance = SplitMix(state: Self.seed)
                try Self.writePlan(rows: 3, to: folder, &chance)
                let desk = try Operator(rows: 3, kills: 0, seed: chance.next())
                let outcome = try await Self.run(by: desk, killedAt: .never, in: folder)
                #expect(outcome.status == 0, "\(outcome.errors)")
                try await desk.keepTags(in: folder)
                try FileManager.default.createDirectory(
                    atPath: folder + "/kills/1001", withIntermediateDirectories: true)
                #expect(try await ProvisionAudit.run(in: folder).findings == [])
                let tags = ["0410571F000180", "0410571F000280", "0410571F000380"].map { "tags/\($0).bin" }
                let damages = [
                    "cp \(tags[0]) \(tags[1])",
                    "mv \(tags[2]) tags/0410571F000980.bin",
                    "printf '\\x03\\x00\\xFE' | dd of=\(tags[0]) bs=1 seek=16 conv=notrunc",
                    "printf x | dd of=\(tags[0]) bs=1 seek=40 conv=notrunc",
                    "sqlite 'UPDATE planRow SET state = \"written\" WHERE number = 2'",
                    "sqlite 'UPDATE planRow SET uid = x\"0410571F000980\" WHERE number = 2'",
                    "sqlite 'UPDATE planRow SET sha256 = upper(hex(zeroblob(32))) WHERE number = 1'",
                    "sqlite 'DELETE FROM planRow WHERE number = 3'",
                    "cp plan.csv.journal kills/1001/journal; sqlite 'UPDATE planRow SET state = \"written\" WHERE number = 2'",
                    "cp \(tags[0]) kills/1001/0410571F000980.bin",
                ]
                for damage in damages {
                    let result = try await Tool.shell(
                        """
                        sqlite() { \(ProvisionAudit.python) -c "import sqlite3, sys
                        with sqlite3.connect('plan.csv.journal') as link: link.execute(sys.argv[1].replace(chr(34), chr(39)))" "$1"; }
                        set -e; rm -rf \(folder).damaged; cp -r . \(folder).damaged; cd \(folder).damaged
                        \(damage)
                        \(ProvisionAudit.python) audit.py; rm -rf \(folder).damaged
                        """, in: folder)
                    #expect(result.status == 0, "\(damage): \(result.errors)")
                    #expect(!result.output.contains("\"findings\": []"), "\(damage) is not seen")
                }
            }
        }

        private static func writePlan(rows: Int, to folder: String, _ chance: inout SplitMix) throws {
            let lines = (1...rows).map { number in
                // The texts have different lengths, so that remains of another message are visible.
                "\(number)-" + String((0..<Int.random(in: 1...60, using: &chance)).map { _ in Self.letter(&chance) })
            }
            let text = (["id"] + lines).joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: URL(filePath: folder + "/" + plan))
        }

        private static func letter(_ chance: inout SplitMix) -> Character {
            "abcdefghijklmnopqrstuvwxyz".randomElement(using: &chance) ?? "a"
        }

        /// Runs the same command repeatedly, with the operator at the reader.
        private static func run(by desk: Operator, killedAt moment: KillMoment, in folder: String) async throws
            -> Outcome
        {
            let arguments = [
                "provision", plan, "--uri", "https://example.com/t/{id}?tag={uid}", "--json", "--timeout", "10s",
                "--reader", desk.connection,
            ]
            await desk.begin(hangs: moment.isHang)
            let outcome = try await Tool.start(arguments, in: folder) { tool in
                let process = tool.process
                var moments = moment
                @Sendable func killTool(after delay: Duration) async throws {
                    try await Task.sleep(for: delay)
                    await desk.end()
                    kill(process, SIGKILL)
                }
                let clock = Task { if let delay = moment.latest { try await killTool(after: delay) } }
                let watch = Task {
                    guard moment.isHang else { return }
                    while await !desk.isReaderHung { try await Task.sleep(for: .milliseconds(1)) }
                    try await killTool(after: .milliseconds(5))
                }
                defer {
                    clock.cancel()
                    watch.cancel()
                }
                do {
                    while true {
                        let event = try ToldEvent(try await tool.line { $0.hasPrefix("{") })
                        if let delay = moments.delay(at: event) { try await killTool(after: delay) }
                        await desk.hear(event)
                    }
                } catch is UnexpectedEnd {}
            }
            await desk.end()
            return outcome
        }

        /// Copies the journal and its log in the state that the kill left, because opening the journal in place would
        /// repair it.
        private static func keepJournal(of kill: Operator.Kill, in folder: String) throws {
            let kept = folder + "/kills/" + String(kill.number + 1000)
            let files = FileManager.default
            try files.createDirectory(atPath: kept, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] where files.fileExists(atPath: "\(folder)/\(journal)\(suffix)") {
                try files.copyItem(atPath: "\(folder)/\(journal)\(suffix)", toPath: "\(kept)/journal\(suffix)")
            }
            guard let (uid, memory) = kill.tag else { return }
            try Data(memory).write(to: URL(filePath: "\(kept)/\(uid).bin"))
        }
    }
}

/// The moment at which the tool is killed.
private enum KillMoment {
    case after(Duration)
    /// A delay after nfctool reported the n-th event of a kind, or the n-th tag that already had its row.
    case told(word: String, count: Int, Duration)
    /// When the reader has stopped answering, so that nfctool is waiting. A busy machine does not change this moment.
    case hang
    case never

    /// Returns a random moment.
    ///
    /// `isBeginning` is true if the journal may not be complete yet. `delivery` is the time that a row takes on this
    /// machine.
    static func random(_ chance: inout SplitMix, isBeginning: Bool, within delivery: Duration) -> KillMoment {
        func delay(below limit: Duration) -> Duration { limit * Double.random(in: 0..<1, using: &chance) }
        if isBeginning { return .after(delay(below: .milliseconds(200))) }
        return switch Int.random(in: 0..<10, using: &chance) {
        case 0: .after(delay(below: .milliseconds(800)))
        case 1: .told(word: "started", count: 1, .zero)
        case 2...3: .told(word: "started", count: 1, delay(below: delivery))
        case 4...8: .hang
        default: .told(word: "row", count: 1, .zero)
        }
    }

    /// The maximum time from the start to the kill, because the awaited event may not happen.
    ///
    /// Nil for no limit.
    var latest: Duration? {
        switch self {
        case .after(let delay): delay
        case .told: .seconds(3)
        case .hang: .seconds(9)
        case .never: nil
        }
    }

    var isHang: Bool {
        guard case .hang = self else { return false }
        return true
    }

    /// Returns the delay of the kill if this is the awaited event, otherwise nil.
    mutating func delay(at event: ToldEvent) -> Duration? {
        guard case .told(let word, let count, let delay) = self, [word, "known"].contains(event.event) else {
            return nil
        }
        guard count > 1 else {
            self = .never
            return delay
        }
        self = .told(word: word, count: count - 1, delay)
        return nil
    }
}

/// There were more runs than the kills can explain.
private struct NeverDone: Error {}

/// The fields that the operator reads from a line of `--json`.
struct ToldEvent: Decodable, Sendable {
    let event: String
    let uid: String?
    let row: Int?
    let quarantined: Bool?
    /// The time from the tag's arrival until it was verified.
    let seconds: Double?

    init(_ line: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(line.utf8)) }
}
