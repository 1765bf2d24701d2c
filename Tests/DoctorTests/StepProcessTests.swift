// Running the steps of a repair as programs

import Doctor
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

    @Test func aTaskThatIsCancelledEndsTheProgram() async {
        let task = Task { await failure("sleep", "60") }
        try? await Task.sleep(for: .milliseconds(200))
        task.cancel()
        #expect(await task.value != nil)
    }

    @Test func theCallerHearsOfEachStepBeforeAndAfterIt() {
        let heard = Mutex<[String]>([])
        let runner = StepProcess(
            willRun: { step in heard.withLock { $0.append("before \(step.needsRoot)") } },
            didRun: { outcome in heard.withLock { $0.append("after \(outcome.step.needsRoot)") } })
        runner.willRun(.root("true"))
        #expect(heard.withLock { $0 } == ["before true"])
    }
}
