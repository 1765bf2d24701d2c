// doctor --fix: the commands of all remedies as one list, and running them

import Foundation
import Subprocess
import SystemPackage

/// What can be done by commands, in order.
struct Repair: Sendable {
    /// Those of each remedy, each command once.
    private let remedies: [[SystemStep]]

    init(_ diagnosis: Diagnosis) {
        var remedies: [[SystemStep]] = []
        for remedy in diagnosis.examinations.compactMap(\.remedy) where remedy.isAutomatic {
            let known = remedies.joined()
            remedies.append(remedy.steps.filter { $0.isLasting && !known.contains($0) })
        }
        self.remedies = remedies
    }

    /// All of them.
    var steps: [SystemStep] { Array(remedies.joined()) }

    /// What takes all of it back, the last first.
    var undo: [SystemStep] { steps.reversed().compactMap(\.undo) }

    /// What takes back what was done, the last first: a command that failed may have found things so.
    static func undo(_ outcomes: [Outcome]) -> [SystemStep] {
        outcomes.reversed().filter { $0.failure == nil }.compactMap(\.step.undo)
    }

    /// What came of a command.
    struct Outcome: Sendable {
        let step: SystemStep
        /// A clause; nil for success.
        let failure: String?
    }

    /// Runs the steps one by one, as root where that is needed.
    ///
    /// One that fails ends its remedy, whose further steps build on it; the other remedies go on.
    ///
    /// - Parameters:
    ///   - perform: what runs a step, and says why it failed.
    ///   - before: told of each step before it is run.
    ///   - after: told of each step when it is over.
    func run(
        by perform: (SystemStep) async -> String? = Self.perform, telling before: (SystemStep) -> Void,
        _ after: (Outcome) -> Void
    ) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for steps in remedies {
            for step in steps {
                guard !Interruption.isRequested else { return outcomes }
                before(step)
                let outcome = Outcome(step: step, failure: await perform(step))
                after(outcome)
                outcomes.append(outcome)
                if outcome.failure != nil { break }
            }
        }
        return outcomes
    }

    static func perform(_ step: SystemStep) async -> String? {
        let (words, input) = step.invocation
        let all = step.needsRoot && geteuid() != 0 ? ["sudo"] + words : words
        guard let program = all.first else { return nil }
        do {
            // What tee is given it says again; the rest of what a program says is for the user.
            let status = try await Interruption.cancelling {
                try await Subprocess.run(
                    .name(program), arguments: Arguments(Array(all.dropFirst())), platformOptions: .endedGracefully,
                    input: .string(input ?? ""), output: .discarded, error: .currentStandardError
                ).terminationStatus
            }
            switch status {
            case .exited(0): return nil
            case .exited(let code): return "it ended with \(code)"
            case .signaled(let number): return "it was ended by signal \(number)"
            }
        } catch is Interrupted {
            return "it was interrupted"
        } catch {
            return "\(program) could not be started"
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

extension SystemStep {
    /// Whether it changes the system: commands that only show something are for people.
    fileprivate var isLasting: Bool {
        if case .run(let words, _) = self { words.first != "nfctool" } else { true }
    }

    /// The program, and what goes to its standard input.
    fileprivate var invocation: (words: [String], input: String?) {
        switch self {
        case .run(let words, _): (words, nil)
        case .install(let file): (["tee", file.path], file.text)
        case .write(let word, let path): (["tee", path], word + "\n")
        }
    }
}
