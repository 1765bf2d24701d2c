// Runs the steps of a repair — sudo(8)

import Glibc
package import Subprocess
import SystemPackage
import Terminal

/// Runs the steps of a repair as programs, with `sudo` if the user is not root.
///
/// ```swift
/// let runner = StepProcess(willRun: { print("$ " + shell.text($0)) })
/// let outcomes = await Repair(diagnosis).run(by: runner)
/// ```
public struct StepProcess: StepRunner {
    private let beforeStep: @Sendable (SystemStep) -> Void
    private let afterStep: @Sendable (Repair.Outcome) -> Void

    /// Creates a runner, which does not run anything yet.
    ///
    /// - Parameters:
    ///   - willRun: called before each step.
    ///   - didRun: called after each step with its result.
    public init(
        willRun: @escaping @Sendable (SystemStep) -> Void = { _ in },
        didRun: @escaping @Sendable (Repair.Outcome) -> Void = { _ in }
    ) {
        beforeStep = willRun
        afterStep = didRun
    }

    /// Calls the closure that was given as `willRun`.
    public func willRun(_ step: SystemStep) { beforeStep(step) }

    /// Calls the closure that was given as `didRun`.
    public func didRun(_ outcome: Repair.Outcome) { afterStep(outcome) }

    /// Runs the program of a step.
    ///
    /// Does nothing for a step that is a command of nfctool.
    ///
    /// - Throws: the program's exit status if it is not 0; ``StepFailure/interrupted`` in a cancelled task.
    public func run(_ step: SystemStep) async throws(StepFailure) {
        guard let (words, input) = step.invocation else { return }
        let all = step.needsRoot && geteuid() != 0 ? ["sudo"] + words : words
        guard let program = all.first else { return }
        let status: TerminationStatus
        do {
            // tee repeats its input, so its output is discarded. Its error messages are shown to the user.
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

extension PlatformOptions {
    /// Options with which a program ends together with this one, so that `sudo` can restore the terminal.
    package static var endedGracefully: PlatformOptions {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .milliseconds(300))]
        return options
    }
}
