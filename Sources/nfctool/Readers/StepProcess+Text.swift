// doctor --fix --yes: prints each command before it runs, and its outcome afterwards

import Doctor
import DoctorPresentation
import Terminal

extension StepProcess {
    /// Creates a runner that prints each step before it runs, and its outcome afterwards.
    ///
    /// - Parameters:
    /// - shell: the form in which steps are printed.
    /// - tell: a function that prints a line.
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
    var clause: String {
        switch self {
        case .exited(let code): "it ended with exit code \(code)"
        case .signaled(let number): "it was ended by signal \(number)"
        case .notStarted(let program): "\(program) could not be started"
        case .interrupted: "it was interrupted"
        }
    }
}
