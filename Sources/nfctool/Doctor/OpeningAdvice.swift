// What to do when a reader does not open: the doctor's diagnosis in three lines, for every command

import NFCReader
import USBReaders

/// The advice for a reader that did not open.
struct OpeningAdvice {
    /// A sentence of cause, one command, and where the rest is.
    let text: String

    /// The advice that the system of this moment gives.
    ///
    /// - Returns: nil for errors of another time, and where nothing is known beyond what the error says.
    init?(for error: ReaderError, in survey: @autoclosure () -> ReaderSurvey, shell: ShellLine = .current) {
        guard let failed = Self.opening(error), failed.reader.map(Self.isOnSystem) ?? true else { return nil }
        let openings = failed.reader.map { [$0: Opening.failed(failed.name, message: error.description)] } ?? [:]
        let diagnosis = Diagnosis(survey(), wanted: failed.reader, openings: openings)
        guard let problem = diagnosis.firstProblem, let remedy = problem.remedy,
            problem.name != .opens || diagnosis.subjects.contains(where: { $0.node != nil })
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
    private static func opening(_ error: ReaderError) -> (reader: String?, name: ErrorName)? {
        switch error {
        case .noReader(let connection): (connection, .noReader)
        case .busy(let connection, _): (connection, .readerBusy)
        case .noPermission(let connection, _): (connection, .noPermission)
        // The error does not say which reader it was, and mostly there is one.
        case .readerFailed("opening", _, _): (nil, .readerIO)
        default: nil
        }
    }

    /// Whether the name leads to a device of this system, rather than to a virtual reader or a pseudo-terminal.
    private static func isOnSystem(_ name: String) -> Bool {
        !name.lowercased().hasPrefix("virtual") && !name.contains("/dev/pts/") && name.contains(":")
    }
}
