// doctor --fix: the commands of all remedies as one list, and running them

/// What can be done by commands, in order.
public struct Repair: Sendable {
    /// The steps of each remedy; a step that several remedies share is in the first only.
    private let remedies: [[SystemStep]]

    /// The commands that help against what a diagnosis found; nothing is run.
    public init(_ diagnosis: Diagnosis) {
        var remedies: [[SystemStep]] = []
        for remedy in diagnosis.examinations.compactMap(\.remedy) where remedy.isAutomatic {
            let known = remedies.joined()
            remedies.append(remedy.steps.filter { $0.isLasting && !known.contains($0) })
        }
        self.remedies = remedies
    }

    /// How long plugging and permissions may take udev after a repair: only then look again.
    public static let settlingTime = Duration.seconds(1)

    /// All of them.
    public var steps: [SystemStep] { Array(remedies.joined()) }

    /// What takes all of it back, the last first.
    public var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// What takes back what was done, the last first: a command that failed may have found things so.
    public static func undo(_ outcomes: [Outcome]) -> [SystemStep] {
        outcomes.reversed().filter { $0.failure == nil }.compactMap(\.step.undo)
    }

    /// What came of a command.
    public struct Outcome: Sendable {
        /// The command.
        public let step: SystemStep
        /// Why it failed; nil for success.
        public let failure: StepFailure?

        /// What came of a step: nil for success.
        package init(step: SystemStep, failure: StepFailure?) {
            self.step = step
            self.failure = failure
        }
    }

    /// Runs the steps one by one.
    ///
    /// One that fails ends its remedy, whose further steps build on it; the other remedies go on. A task that is cancelled
    /// begins no further step.
    ///
    /// - Parameter runner: what runs a step, and hears of it before and after.
    /// - Returns: what came of the steps that were begun.
    public func run(by runner: some StepRunner) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for steps in remedies {
            for step in steps {
                guard !Task.isCancelled else { return outcomes }
                runner.willRun(step)
                let outcome = Outcome(step: step, failure: await Self.failure(of: step, by: runner))
                runner.didRun(outcome)
                outcomes.append(outcome)
                if outcome.failure != nil { break }
            }
        }
        return outcomes
    }

    private static func failure(of step: SystemStep, by runner: some StepRunner) async -> StepFailure? {
        do throws(StepFailure) {
            try await runner.run(step)
            return nil
        } catch {
            return error
        }
    }
}

/// Runs the steps of a repair; ``StepProcess`` runs them as programs.
public protocol StepRunner: Sendable {
    /// A step comes next.
    func willRun(_ step: SystemStep)

    /// Carries a step out: ``SystemStep/invocation``, as root where ``SystemStep/needsRoot`` holds.
    ///
    /// - Throws: why it failed.
    func run(_ step: SystemStep) async throws(StepFailure)

    /// A step is over.
    func didRun(_ outcome: Repair.Outcome)
}

/// Why a step of a repair failed.
public enum StepFailure: Error, Hashable, Sendable {
    /// Its program ended with this status.
    case exited(Int32)
    /// This signal ended its program.
    case signaled(Int32)
    /// Its program, which has this name, could not be started.
    case notStarted(String)
    /// The user ended it.
    case interrupted
}
