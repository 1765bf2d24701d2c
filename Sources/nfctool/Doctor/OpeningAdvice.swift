// What to do when a reader does not open: the doctor's diagnosis in three lines, for every command

import Foundation
import NFCReader
import USBReaders

/// The advice for a reader that did not open.
struct OpeningAdvice {
    /// A sentence of cause, one command, and where the rest is.
    let text: String

    /// The advice that the system of this moment gives.
    ///
    /// - Parameters:
    ///   - error: what opening failed with.
    ///   - named: the reader the user named, for errors that do not say which it was; nil where it was left to libnfc.
    ///   - survey: the system of this moment.
    ///   - labels: the user's own names for readers.
    ///   - shell: how commands are printed.
    ///   - claim: what comes of claiming the interface of the reader on a port.
    /// - Returns: nil for errors of another time, and where nothing is known beyond what the error says.
    init?(
        for error: ReaderError, named: String? = nil, in survey: @autoclosure () -> ReaderSurvey,
        labels: ReaderLabels = .current, shell: ShellLine = .current,
        claim: (PortPath) -> USBControlError? = Subject.testClaim
    ) {
        guard let failed = Self.opening(error, named),
            failed.reader.map({ Self.isOnSystem($0) || labels.target(of: $0) != nil }) ?? true
        else { return nil }
        let survey = survey()
        let unopened = Diagnosis(survey, wanted: failed.reader.map { labels.meant(by: $0, in: survey) })
        // Which reader it was is known when it was named, or there is but one.
        let isSure = failed.reader != nil || unopened.candidates.count == 1
        // A holder that the error names counts more than what is seen of others.
        var holder: String?
        if case .busy(_, let named) = error { holder = named }
        let subjects = holder == nil ? unopened.candidates : unopened.subjects
        let openings = (isSure ? subjects : []).map { subject in
            if let holder { return (subject.connection, Opening.held(by: holder)) }
            let opening = Opening.failed(failed.name, message: error.description)
            return (subject.connection, opening.refined(for: subject, claim: claim))
        }
        let diagnosis = unopened.with(Dictionary(openings) { first, _ in first })
        guard let problem = diagnosis.firstProblem, let remedy = problem.remedy,
            problem.name != .opens || diagnosis.subjects.contains(where: { $0.node != nil }),
            // Something did answer the call to open: it was there.
            failed.name != .readerIO || problem.name != .reader
        else { return nil }
        var lines = [remedy.cause]
        let commands = remedy.steps.map(shell.text)
        if commands.count > 1, remedy.isAutomatic {
            lines.append("See what to do:  \(ShellLine.quoted(shell.program)) doctor --fix   (with --yes it is done)")
        } else if let command = commands.first {
            lines.append("Try:  \(command)")
        } else if let note = remedy.note {
            lines.append(note.text(shell))
        }
        if commands.count <= 1 { lines.append("All that is known:  \(ShellLine.quoted(shell.program)) doctor") }
        text = lines.map { TerminalText.escaped($0) }.joined(separator: "\n")
    }

    /// The reader and the name of an error of opening; nil for any other error.
    private static func opening(_ error: ReaderError, _ named: String?) -> (reader: String?, name: ErrorName)? {
        switch error {
        case .noReader(let connection): (connection, .noReader)
        case .busy(let connection, _): (connection, .readerBusy)
        case .noPermission(let connection, _): (connection, .noPermission)
        case .readerFailed("opening", _, _): (named, .readerIO)
        default: nil
        }
    }

    /// The reader that this command was given; nil for none, or several.
    static var namedReader: String? {
        let arguments = CommandLine.arguments
        let readers =
            zip(arguments, arguments.dropFirst()).filter { $0.0 == "--reader" }.map(\.1)
            + arguments.filter { $0.hasPrefix("--reader=") }.map { String($0.dropFirst("--reader=".count)) }
        let environment = ProcessInfo.processInfo.environment["NFCTOOL_READER"] ?? ""
        let named = readers.isEmpty && !environment.isEmpty ? [environment] : readers
        return named.count == 1 && named[0] != "auto" ? named[0] : nil
    }

    /// Whether the name leads to a device of this system, rather than to a virtual reader or a pseudo-terminal.
    private static func isOnSystem(_ name: String) -> Bool {
        !name.lowercased().hasPrefix("virtual") && !name.contains("/dev/pts/") && name.contains(":")
    }
}
