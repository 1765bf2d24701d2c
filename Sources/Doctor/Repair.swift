// doctor --fix: collects the commands of all remedies in one list, and runs them

/// The commands that solve the problems of a diagnosis, in order.
public struct Repair: Sendable {
    /// The steps of each remedy.
    ///
    /// A step that several remedies share is listed only in the first of them.
    private let remedies: [[SystemStep]]

    /// Collects the commands for the findings of a diagnosis, but runs none of them.
    public init(_ diagnosis: Diagnosis) {
        var remedies: [[SystemStep]] = []
        for remedy in diagnosis.examinations.compactMap(\.remedy) where remedy.isAutomatic {
            let known = remedies.joined()
            remedies.append(remedy.steps.filter { $0.isLasting && !known.contains($0) })
        }
        self.remedies = remedies
    }

    /// The time that udev may need after a repair.
    ///
    /// Examine the readers again only after this time.
    public static let settlingTime = Duration.seconds(1)

    /// The commands of all remedies.
    public var steps: [SystemStep] { Array(remedies.joined()) }

    /// The commands that undo all steps, last step first.
    public var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// Returns the commands that undo the successful steps, last step first.
    ///
    /// A failed step is not undone, because its change may have been made before the repair.
    public static func undo(_ outcomes: [Outcome]) -> [SystemStep] {
        outcomes.reversed().filter { $0.failure == nil }.compactMap(\.step.undo)
    }

    /// The result of a command.
    public struct Outcome: Sendable {
        /// The command.
        public let step: SystemStep
        /// The reason for the failure, or nil for success.
        public let failure: StepFailure?

        /// Creates the result of a step.
        ///
        /// `failure` is nil for success.
        package init(step: SystemStep, failure: StepFailure?) {
            self.step = step
            self.failure = failure
        }
    }

    /// Runs the steps one by one.
    ///
    /// A step that fails ends its remedy, because later steps depend on it. The other remedies continue. No further
    /// step starts in a cancelled task.
    ///
    /// - Parameter runner: runs the steps, and is called before and after each step.
    /// - Returns: the results of the steps that were started.
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

/// Runs the steps of a repair.
///
/// ``StepProcess`` runs them as programs.
public protocol StepRunner: Sendable {
    /// Called before a step.
    func willRun(_ step: SystemStep)

    /// Runs a step: ``SystemStep/invocation``, as root if ``SystemStep/needsRoot`` is true.
    ///
    /// - Throws: the reason for the failure.
    func run(_ step: SystemStep) async throws(StepFailure)

    /// Called after a step with its outcome.
    func didRun(_ outcome: Repair.Outcome)
}

/// The reason why a step of a repair failed.
public enum StepFailure: Error, Hashable, Sendable {
    /// The program ended with this status.
    case exited(Int32)
    /// The program was ended by this signal.
    case signaled(Int32)
    /// The program with this name could not be started.
    case notStarted(String)
    /// The user interrupted the step.
    case interrupted
}
