// Creates an ordered list of checks from the facts — Docs/CommandLine.md, doctor

public import ReaderInterface
public import USBReaders

/// A diagnosis of the readers of a system.
///
/// It is based on a survey and on the results of opening the surveyed readers. Each check is a file in `Checks/`.
///
/// ```swift
/// let survey = ReaderSurvey(environment: ProcessInfo.processInfo.environment)
/// let diagnosis = try await Diagnosis(survey).opened(by: opener)
/// for problem in diagnosis.examinations where problem.status == .problem {
///     print(problem.name, problem.statement, problem.remedy?.cause ?? "")
/// }
/// ```
public struct Diagnosis: Sendable {
    /// The facts on which the diagnosis is based.
    public let survey: ReaderSurvey
    /// The reader that the user asked for, or nil for all readers.
    public let wanted: String?
    /// The readers that pcscd lists.
    ///
    /// Empty if pcscd was not asked.
    public let listed: [ListedReader]
    /// The readers that are examined.
    public let subjects: [Subject]
    /// The results of opening, by connection string.
    ///
    /// Readers that are known not to open are not included.
    private let openings: [String: Opening]

    /// Creates a diagnosis from the given facts only.
    ///
    /// - Parameters:
    ///   - survey: the facts.
    ///   - wanted: a reader as for `--reader`, but not a label, or nil or `auto` for all readers.
    ///   - listed: the readers that pcscd lists, including those that the survey found on USB.
    ///   - openings: the results of opening readers, by connection string.
    public init(
        _ survey: ReaderSurvey, wanted: String? = nil, listed: [ListedReader] = [], openings: [String: Opening] = [:]
    ) {
        self.survey = survey
        self.listed = listed
        self.wanted = wanted == "auto" ? nil : wanted
        self.openings = openings
        subjects = Subject.all(in: survey, wanted: self.wanted, listed: listed)
    }

    /// Returns the same diagnosis with the results of opening readers, by connection string.
    public func with(_ openings: [String: Opening]) -> Diagnosis {
        Diagnosis(survey, wanted: wanted, listed: listed, openings: openings)
    }

    /// The facts that apply to all readers.
    public var system: SystemFacts { survey.system }

    /// Returns the result of opening a reader, or nil if it was not opened.
    public func opening(of subject: Subject) -> Opening? { openings[subject.connection] }

    /// Returns whether a reader was opened and answered.
    public func didOpen(_ subject: Subject) -> Bool {
        if case .answered = opening(of: subject) { true } else { false }
    }

    /// All checks, in order.
    ///
    /// If libnfc's settings name a reader that is missing, the settings check reports it.
    public var examinations: [Examination] {
        [
            subjects.isEmpty ? [noReader] : subjects.map(presence).filter { $0.status == .ok || wanted != nil },
            [unsupportedReaders].compactMap { $0 },
            [serialPorts].compactMap { $0 },
            configuration,
            subjects.map(node),
            subjects.map(permission),
            subjects.map(kernelDriver),
            [blacklist],
            subjects.map(smartCardDaemon),
            subjects.map(holder),
            [machine],
            [names].compactMap { $0 },
            subjects.map(openingCheck),
        ].flatMap { $0 }
    }

    /// Returns the checks of one reader.
    public func examinations(of subject: Subject) -> [Examination] {
        [
            presence(subject), node(subject), permission(subject), kernelDriver(subject), smartCardDaemon(subject),
            holder(subject), openingCheck(subject),
        ]
    }

    /// The readers without a known problem.
    ///
    /// Only opening them shows whether they work.
    public var candidates: [Subject] {
        subjects.filter { subject in !examinations(of: subject).contains { $0.status == .problem } }
    }

    /// The first problem.
    ///
    /// Nil if a reader can be used, and libnfc's settings do not hide it from a command that names no reader.
    public var firstProblem: Examination? {
        let problems = examinations.filter { $0.status == .problem }
        guard subjects.contains(where: didOpen) else { return problems.first }
        return problems.first { $0.name == .configuration }
    }
}
