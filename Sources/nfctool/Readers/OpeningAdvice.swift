// Advice about a reader that cannot be opened, for every command: the diagnosis of `doctor` in three lines

import Doctor
import Foundation
import ReaderInterface
import Terminal
import USBReaders

enum OpeningAdvice {
    /// Returns the advice for the present state of the system.
    ///
    /// It names the cause, a command, and where to find details. If there is no reader, it also says how to try nfctool
    /// without one.
    ///
    /// - Parameters:
    ///   - error: the error that occurred while the reader was opened.
    ///   - named: the reader that the user named, for errors that do not name it, or nil if libnfc chose the reader.
    ///   - survey: the present state of the system.
    ///   - labels: the labels that the user gave to readers.
    ///   - shell: how commands are printed.
    ///   - claim: a function that tries to claim the USB interface of the reader on a port.
    /// - Returns: the advice, or nil if the error has another cause or its message already contains all that is known.
    static func text(
        for error: ReaderError, named: String? = nil, in survey: @autoclosure () -> ReaderSurvey,
        labels: ReaderLabels = .current, shell: ShellLine = .current,
        claim: (PortPath) -> USBControlError? = Subject.testClaim
    ) -> String? {
        let problem = Diagnosis.problem(behind: error, named: named, in: survey(), labels: labels, claim: claim)
        guard let remedy = problem?.remedy else { return nil }
        var lines = [remedy.cause]
        let commands = remedy.steps.map(shell.text)
        if commands.count > 1, remedy.isAutomatic {
            lines.append("See what to do:  \(ShellLine.quoted(shell.program)) doctor --fix   (--yes runs the commands)")
        } else if let command = commands.first {
            lines.append("Try:  \(command)")
        } else if let note = remedy.note {
            lines.append(note.text(shell))
        }
        if commands.count <= 1 { lines.append("For details:  \(ShellLine.quoted(shell.program)) doctor") }
        if error == .noReader(connection: nil) { lines.append("To try without a reader:  --reader virtual") }
        return lines.map { TerminalText.escaped($0) }.joined(separator: "\n")
    }

    /// The reader that the user named for this command.
    ///
    /// Nil if no reader, several readers or `auto` was given.
    static var namedReader: String? {
        let arguments = CommandLine.arguments
        let readers =
            zip(arguments, arguments.dropFirst()).filter { $0.0 == "--reader" }.map(\.1)
            + arguments.filter { $0.hasPrefix("--reader=") }.map { String($0.dropFirst("--reader=".count)) }
        let environment = ProcessInfo.processInfo.environment["NFCTOOL_READER"] ?? ""
        let named = readers.isEmpty && !environment.isEmpty ? [environment] : readers
        return named.count == 1 && named[0] != "auto" ? named[0] : nil
    }
}
