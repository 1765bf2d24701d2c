// Running the steps of a repair as programs

import Doctor
import Foundation
import Synchronization
import Testing

@Suite struct StepProcessTests {
    private func failure(_ words: String...) async -> StepFailure? {
        do throws(StepFailure) {
            try await StepProcess().run(.run(words, needsRoot: false))
            return nil
        } catch {
            return error
        }
    }

    @Test func aProgramThatEndsWell() async { #expect(await failure("true") == nil) }

    @Test func aProgramTellsHowItEnded() async {
        #expect(await failure("sh", "-c", "exit 3") == .exited(3))
        #expect(await failure("sh", "-c", "kill -9 $$") == .signaled(9))
    }

    @Test func aProgramThatIsNotThere() async {
        #expect(await failure("no-such-program-as-this") == .notStarted("no-such-program-as-this"))
    }

    @Test func aTaskThatIsCancelledEndsTheProgram() async throws {
        let mark = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: mark) }
        let task = Task { await failure("sh", "-c", "echo $$ > '\(mark.path)'; exec sleep 60") }
        var process: pid_t?
        for _ in 0..<2_000 where process == nil {
            try await Task.sleep(for: .milliseconds(10))
            let text = try? String(contentsOf: mark, encoding: .utf8)
            // The line may still be incomplete.
            process = text.flatMap { $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil }
        }
        task.cancel()
        #expect(await task.value != nil)
        #expect(kill(try #require(process), 0) == -1)
    }

    @Test func theCallerHearsOfEachStepBeforeAndAfterIt() {
        let heard = Mutex<[String]>([])
        let runner = StepProcess(
            willRun: { step in heard.withLock { $0.append("before \(step.needsRoot)") } },
            didRun: { outcome in heard.withLock { $0.append("after \(outcome.step.needsRoot)") } })
        let step = SystemStep.root("true")
        runner.willRun(step)
        runner.didRun(Repair.Outcome(step: step, failure: nil))
        #expect(heard.withLock { $0 } == ["before true", "after true"])
    }
}
