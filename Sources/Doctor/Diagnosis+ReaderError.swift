// The problem that explains why a command could not open its reader

package import ReaderInterface
package import USBReaders

extension Diagnosis {
    /// Returns the problem that explains why a reader did not open.
    ///
    /// - Parameters:
    ///   - error: the error from opening the reader.
    ///   - named: the reader that the user named, for errors that do not identify it, or nil if libnfc chose the
    ///     reader.
    ///   - survey: the present state of the system. It is only evaluated if opening failed.
    ///   - labels: the user's labels for readers.
    ///   - claim: claims the interface of the reader on a port briefly, and returns nil for success. Only called if
    ///     libnfc cannot distinguish an unresponsive reader from a busy one.
    /// - Returns: a problem with its remedy, or nil if the error did not occur while a reader was opened, or if nothing
    ///   is known beyond the error's own message.
    package static func problem(
        behind error: ReaderError, named: String?, in survey: @autoclosure () -> ReaderSurvey, labels: ReaderLabels,
        claim: (PortPath) -> USBControlError?
    ) -> Examination? {
        guard error.isOfOpening else { return nil }
        let name = error.connection ?? (error.isOfMuteReader ? named : nil)
        guard name.map({ isOnSystem($0) || labels.target(of: $0) != nil }) ?? true else { return nil }
        let survey = survey()
        let unopened = Diagnosis(survey, wanted: name.map { labels.meant(by: $0, in: survey) })
        // The reader is known if it was named, or if there is only one candidate.
        let isSure = name != nil || unopened.candidates.count == 1
        let opening = Opening(error)
        // The holder that the error names takes precedence over the holders in the survey.
        let subjects = if case .held = opening { unopened.subjects } else { unopened.candidates }
        let openings = (isSure ? subjects : []).map { ($0.connection, opening.refined(for: $0, claim: claim)) }
        let diagnosis = unopened.with(Dictionary(openings) { first, _ in first })
        guard let problem = diagnosis.firstProblem,
            problem.name != .opens || diagnosis.subjects.contains(where: { $0.node != nil }),
            // The reader answered when it was opened, so it was present.
            !error.isOfMuteReader || problem.name != .reader
        else { return nil }
        return problem
    }

    /// Whether the name refers to a device of this system, not to a virtual reader or a pseudo-terminal.
    private static func isOnSystem(_ name: String) -> Bool {
        !name.lowercased().hasPrefix("virtual") && !name.contains("/dev/pts/") && name.contains(":")
    }
}

extension ReaderError {
    /// Whether the error occurred while a reader was opened, not later.
    fileprivate var isOfOpening: Bool {
        switch self {
        case .noReader, .busy, .noPermission: true
        default: isOfMuteReader
        }
    }

    /// Whether the reader was present and failed while it was opened.
    fileprivate var isOfMuteReader: Bool {
        if case .readerFailed("opening", _, _, _) = self { true } else { false }
    }

    /// The reader that the error names, or nil if the error names none.
    fileprivate var connection: String? {
        switch self {
        case .noReader(let connection): connection
        case .busy(let connection, _), .noPermission(let connection, _): connection
        default: nil
        }
    }
}
