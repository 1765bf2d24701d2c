// doctor --fix --yes: each command is shown before it runs, and what came of it after

import Doctor
import DoctorPresentation
import Terminal

extension StepProcess {
    /// Runs steps that are shown.
    ///
    /// - Parameters:
    ///   - shell: how a step is shown.
    ///   - tell: prints a line.
    init(shell: ShellLine, tell: @escaping @Sendable (String) -> Void) {
        self.init(
            willRun: { tell("$ " + TerminalText.escaped(shell.text($0))) },
            didRun: { outcome in
                let marks = Marks.current
                tell(outcome.failure.map { "  \(marks.problem) \($0.clause)" } ?? "  \(marks.ok)")
            })
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
