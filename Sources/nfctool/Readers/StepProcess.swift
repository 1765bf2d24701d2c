// doctor --fix --yes: shows each command and runs it — sudo(8)

import Doctor
import Foundation
import Subprocess
import SystemPackage
import Terminal

/// Runs the steps of a repair as programs, with `sudo` where the user is not root.
struct StepProcess: StepRunner {
    /// How a step is shown.
    let shell: ShellLine
    /// Prints a line.
    let tell: @Sendable (String) -> Void

    func willRun(_ step: SystemStep) { tell("$ " + TerminalText.escaped(shell.text(step))) }

    func didRun(_ outcome: Repair.Outcome) {
        let marks = Marks.current
        tell(outcome.failure.map { "  \(marks.problem) \($0.clause)" } ?? "  \(marks.ok)")
    }

    func run(_ step: SystemStep) async throws(StepFailure) {
        guard let (words, input) = step.invocation else { return }
        let all = step.needsRoot && geteuid() != 0 ? ["sudo"] + words : words
        guard let program = all.first else { return }
        let status: TerminationStatus
        do {
            // What tee is given it says again; the rest of what a program says is for the user.
            status = try await Subprocess.run(
                .name(program), arguments: Arguments(Array(all.dropFirst())), platformOptions: .endedGracefully,
                input: .fileDescriptor(try .unnamedFile(holding: input ?? ""), closeAfterSpawningProcess: true),
                output: .discarded, error: .currentStandardError
            ).terminationStatus
        } catch is CancellationError {
            throw .interrupted
        } catch {
            throw .notStarted(program)
        }
        switch status {
        case .exited(0): return
        case .exited(let code): throw .exited(code)
        case .signaled(let number): throw .signaled(number)
        }
    }
}

extension StepFailure {
    /// What happened, in a clause.
    var clause: String {
        switch self {
        case .exited(let code): "it ended with \(code)"
        case .signaled(let number): "it was ended by signal \(number)"
        case .notStarted(let program): "\(program) could not be started"
        case .interrupted: "it was interrupted"
        }
    }
}

extension PlatformOptions {
    /// For programs that a signal to this one ends: `sudo` then gives the terminal back.
    static var endedGracefully: PlatformOptions {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(300))]
        return options
    }
}
