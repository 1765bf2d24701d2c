// The report about a tag when the user ends a provisioning during the work on the tag

import Foundation
import ReaderInterface
import Provisioning
import SafeTag
import TagTypes
import Testing

@testable import nfctool

@Suite struct RowInterruptedTests {
    private static func message(
        _ error: any Error, _ seal: RowSeal = RowSeal(lock: true), _ state: RowState = .proven
    ) -> String {
        let cause = RowInterrupted(uid: "0410571F000180", row: 1, seal: seal, state: state, during: error)
        let failure = TagFailure(Interrupted(cause: cause, remark: "3 rows remain."))
        guard let failure else { return "no failure" }
        #expect(failure.name == .interrupted)
        #expect(failure.details == ["uid": .text("0410571F000180"), "row": .number(1)])
        return failure.message
    }

    private static let end = " Keep the tag, run the same command, and place the tag again. 3 rows remain."

    @Test func aLockWhoseStepsAreDoneIsNotProven() {
        #expect(
            Self.message(TagError.lockInterrupted(done: ["A", "B"], missing: [], cause: .reader(.aborted)))
                == "Tag 0410571F000180 holds row 1. All steps of its lock are done, but the lock is not verified yet."
                + Self.end)
    }

    @Test func aLockThatWasCutOffSaysWhatIsLocked() {
        #expect(
            Self.message(TagError.lockInterrupted(done: ["A", "B"], missing: ["C"], cause: .reader(.aborted)))
                == "Tag 0410571F000180 holds row 1 and is partly locked. Locked so far: A, B; not done, or not verified: C."
                + Self.end)
        #expect(
            Self.message(TagError.lockInterrupted(done: [], missing: ["A"], cause: .reader(.aborted)))
                == "Tag 0410571F000180 holds row 1 and may be partly locked." + Self.end)
    }

    @Test func aFullDiskSaysWhichTagToKeepAndWhatToDo() throws {
        let tag = RowInterrupted(
            uid: "0410571F000180", row: 1, seal: RowSeal(), state: .written, during: CancellationError())
        let full = JournalError.full(path: "p.csv.journal", code: 13, reason: "database or disk is full")
        let error = try #require(RowNotStored(full, of: tag))
        let failure = try #require(TagFailure(error))
        #expect(failure.name == .badFile)
        #expect(failure.details == ["uid": .text("0410571F000180"), "row": .number(1)])
        #expect(failure.message == "\(full) \(tag)")
        #expect(Advice(for: failure)?.text == "Free some space on the disk, and run the same command again.")
        #expect(RowNotStored(JournalError.rowMoved(row: 1), of: tag) == nil)
    }

    @Test func aTagBetweenTwoStepsIsNamedToo() {
        #expect(
            Self.message(CancellationError(), RowSeal(lock: true, protect: true))
                == "Tag 0410571F000180 holds row 1. nfctool has not yet verified that the tag is protected and locked."
                + Self.end)
        #expect(
            Self.message(CancellationError(), RowSeal(lock: true), .written)
                == "Tag 0410571F000180 has row 1, which is not verified yet." + Self.end)
    }
}

extension BuiltBinaryProvision {
    @Suite struct InterruptedRowTests {
        /// The first writes of the message, of the static lock bytes and of the dynamic lock bytes — NTAG213.
        @Test(arguments: ["A2 06", "A2 02", "A2 28"])
        func ctrlCNamesTheTagThatIsWorkedOn(write: String) async throws {
            try await inTime { isLast in
                try await ProvisionRun.with { run in
                    try run.plan(3)
                    let line = """
                        exec nfctool provision tags.csv --uri '\(run.uri)' --lock --yes --json --timeout 5s --trace \
                        --reader 'virtual:ntag213*3?stream&dwell=10s&latency=real' 2>&1
                        """
                    var (uid, end) = ("", "")
                    let outcome = try await Tool.startShell(line, in: run.folder) { tool in
                        let line = try await tool.line { $0.contains(#""event":"started""#) }
                        uid =
                            (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["uid"]
                            as? String
                            ?? ""
                        _ = try await tool.line { $0.contains(" > \(write)") }
                        tool.send(SIGINT)
                        while let line = try? await tool.line(where: { _ in true }) { end = line }
                    }
                    // The row was finished before the signal.
                    if outcome.output.contains(#""event":"row""#), !isLast { return false }
                    #expect(outcome.status == 130, "\(end)")
                    #expect(!outcome.output.contains(#""event":"row""#))
                    let failure = try Outcome.object(end)
                    let message = try #require(failure["message"] as? String)
                    #expect(!message.contains("nothing"), "\(message)")
                    #expect(message.hasPrefix("Tag \(uid) ") && failure["uid"] as? String == uid, "\(message)")
                    #expect(message.contains("Keep the tag, run the same command, and place the tag again."))
                    return true
                }
            }
        }

        /// The number of rows in a plan, and the text about the rows that remain.
        @Test(arguments: [(1, "No rows remain."), (2, "1 row remains.")])
        func aCommandEndedByCtrlCHasFailed(rows: Int, remark: String) async throws {
            try await ProvisionRun.with { run in
                try run.plan(rows)
                let line = """
                    exec nfctool provision tags.csv --uri '\(run.uri)' --json --timeout 5s --reader virtual:ntag213 \
                    --exec 'echo begun; sleep 30' 2>&1
                    """
                var lines: [String] = []
                let outcome = try await Tool.startShell(line, in: run.folder) { tool in
                    _ = try await tool.line { $0.hasPrefix("begun") }
                    tool.send(SIGINT)
                    while let line = try? await tool.line(where: { _ in true }) { lines.append(line) }
                }
                let text = lines.joined(separator: "\n")
                #expect(outcome.status == 130, "\(text)")
                #expect(text.contains("The command was ended because the run was interrupted."), "\(text)")
                let summary = try Outcome.object(try #require(lines.first { $0.contains(#""event":"summary""#) }))
                #expect(summary["commandFailures"] as? Int == 1 && summary["commandFailedRows"] as? [Int] == [1])
                #expect(summary["provisioned"] as? Int == 1 && text.contains("Interrupted. \(remark)"), "\(text)")
            }
        }

        /// No file may grow beyond 44 KiB, so the journal stores the row's first step but not the next one.
        @Test func aJournalThatFailsNamesTheTagThatIsWorkedOn() async throws {
            try await ProvisionRun.with { run in
                try run.plan(6)
                let outcome = try await Tool.shell(
                    """
                    trap '' XFSZ; ulimit -f 44
                    nfctool provision tags.csv --uri '\(run.uri)' --json --timeout 1s \
                        --reader 'virtual:ntag213?latency=real'
                    """, in: run.folder)
                #expect(outcome.status == 65, "\(outcome.errors)")
                // Scripts/coverage adds a line, because the profile cannot be written either.
                let line = outcome.errors.split(separator: "\n").last { $0.hasPrefix("{") }
                let failure = try Outcome.object(String(try #require(line, "\(outcome.errors)")))
                let uid = try #require(failure["uid"] as? String, "\(outcome.errors)")
                #expect(failure["row"] as? Int == 1 && failure["error"] as? String == "badFile")
                let end =
                    " Tag \(uid) has row 1, which is not verified yet. Keep the tag, run the same command, and place the tag again."
                #expect((failure["message"] as? String)?.hasSuffix(end) == true, "\(outcome.errors)")
            }
        }
    }
}
