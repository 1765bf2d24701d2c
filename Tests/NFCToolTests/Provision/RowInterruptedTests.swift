// What is said of a tag in whose work a provisioning was ended by the user

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

    private static let end = " Keep it, run the same command and place it again. 3 rows remain."

    @Test func aLockWhoseStepsAreDoneIsNotProven() {
        #expect(
            Self.message(TagError.lockInterrupted(done: ["A", "B"], missing: [], cause: .reader(.aborted)))
                == "Tag 0410571F000180 is locked and holds row 1; that is not verified yet." + Self.end)
    }

    @Test func aLockThatWasCutOffSaysWhatIsLocked() {
        #expect(
            Self.message(TagError.lockInterrupted(done: ["A", "B"], missing: ["C"], cause: .reader(.aborted)))
                == "Tag 0410571F000180 holds row 1 and is locked in part. Locked so far: A, B; not done, or not verified: C."
                + Self.end)
        #expect(
            Self.message(TagError.lockInterrupted(done: [], missing: ["A"], cause: .reader(.aborted)))
                == "Tag 0410571F000180 holds row 1 and may be locked in part." + Self.end)
    }

    @Test func aTagBetweenTwoStepsIsNamedToo() {
        #expect(
            Self.message(CancellationError(), RowSeal(lock: true, protect: true))
                == "Tag 0410571F000180 holds row 1; whether it is protected and locked is not verified yet." + Self.end)
        #expect(
            Self.message(CancellationError(), RowSeal(lock: true), .written)
                == "Tag 0410571F000180 has row 1, which is not verified yet." + Self.end)
    }
}

extension BuiltBinaryProvision {
    @Suite struct InterruptedRowTests {
        /// Over the write, the proof and the lock of one tag.
        @Test(arguments: [150, 300, 450, 550, 650, 750])
        func ctrlCNamesTheTagThatIsWorkedOn(milliseconds: Int) async throws {
            try await ProvisionRun.with { run in
                try run.plan(3)
                let arguments = [
                    "provision", "tags.csv", "--uri", run.uri, "--lock", "--yes", "--json", "--timeout", "5s",
                    "--reader", "virtual:ntag213*3?stream&latency=real",
                ]
                var uid = ""
                let outcome = try await Tool.start(arguments, in: run.folder) { tool in
                    let line = try await tool.line { $0.contains(#""event":"started""#) }
                    uid =
                        (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["uid"] as? String
                        ?? ""
                    try await Task.sleep(for: .milliseconds(milliseconds))
                    tool.send(SIGINT)
                    while (try? await tool.line { _ in true }) != nil {}
                }
                #expect(outcome.status == 130, "\(outcome.errors)")
                let failure = try outcome.failure()
                let message = try #require(failure["message"] as? String)
                #expect(!message.contains("nothing"), "\(message)")
                let isVerified = outcome.output.contains(#""event":"row""#)
                if !isVerified {
                    #expect(message.hasPrefix("Tag \(uid) ") && failure["uid"] as? String == uid, "\(message)")
                    #expect(message.contains("Keep it, run the same command and place it again."))
                }
            }
        }
    }
}
