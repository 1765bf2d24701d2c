// Why a command could not open its reader: the problem that explains its error

public import ReaderInterface
public import USBReaders

extension Diagnosis {
    /// The problem that explains why a reader did not open.
    ///
    /// Claims the reader's interface for a moment where libnfc cannot tell a mute reader from one that is in use.
    ///
    /// - Parameters:
    ///   - error: what opening failed with.
    ///   - named: the reader the user named, for errors that do not say which it was; nil where it was left to libnfc.
    ///   - survey: the system of this moment; looked at for errors of opening only.
    ///   - labels: the user's own names for readers.
    /// - Returns: a problem with its remedy; nil for errors of another time, and where nothing is known beyond what the error
    ///   says.
    public static func problem(
        behind error: ReaderError, named: String? = nil, in survey: @autoclosure () -> ReaderSurvey,
        labels: ReaderLabels
    ) -> Examination? {
        problem(behind: error, named: named, in: survey(), labels: labels, claim: Subject.testClaim)
    }

    /// The same; `claim` returns what comes of claiming the interface of the reader on a port, nil for success.
    package static func problem(
        behind error: ReaderError, named: String?, in survey: @autoclosure () -> ReaderSurvey, labels: ReaderLabels,
        claim: (PortPath) -> USBControlError?
    ) -> Examination? {
        guard error.isOfOpening else { return nil }
        let name = error.connection ?? (error.isOfMuteReader ? named : nil)
        guard name.map({ isOnSystem($0) || labels.target(of: $0) != nil }) ?? true else { return nil }
        let survey = survey()
        let unopened = Diagnosis(survey, wanted: name.map { labels.meant(by: $0, in: survey) })
        // Which reader it was is known when it was named, or there is but one.
        let isSure = name != nil || unopened.candidates.count == 1
        let opening = Opening(error)
        // The holder that the error names counts more than those that were seen.
        let subjects = if case .held = opening { unopened.subjects } else { unopened.candidates }
        let openings = (isSure ? subjects : []).map { ($0.connection, opening.refined(for: $0, claim: claim)) }
        let diagnosis = unopened.with(Dictionary(openings) { first, _ in first })
        guard let problem = diagnosis.firstProblem,
            problem.name != .opens || diagnosis.subjects.contains(where: { $0.node != nil }),
            // Something did answer the call to open: it was there.
            !error.isOfMuteReader || problem.name != .reader
        else { return nil }
        return problem
    }

    /// Whether the name leads to a device of this system, rather than to a virtual reader or a pseudo-terminal.
    private static func isOnSystem(_ name: String) -> Bool {
        !name.lowercased().hasPrefix("virtual") && !name.contains("/dev/pts/") && name.contains(":")
    }
}

extension ReaderError {
    /// Whether a reader did not open, rather than fail later.
    fileprivate var isOfOpening: Bool {
        switch self {
        case .noReader, .busy, .noPermission: true
        default: isOfMuteReader
        }
    }

    /// Whether a reader was there, and failed while it was opened.
    fileprivate var isOfMuteReader: Bool {
        if case .readerFailed("opening", _, _, _) = self { true } else { false }
    }

    /// The reader it is about, where it says so.
    fileprivate var connection: String? {
        switch self {
        case .noReader(let connection): connection
        case .busy(let connection, _), .noPermission(let connection, _): connection
        default: nil
        }
    }
}
