// The report of a failed command, for users and scripts — Docs/JSON.md, Errors

import ArgumentParser
import Foundation
import SafeTag
import Terminal

struct FailureReport {
    private let error: any Error
    private let asJSON: Bool

    init(_ error: any Error, asJSON: Bool) {
        self.error = error
        self.asJSON = asJSON
    }

    func exit() -> Never {
        if Interruption.isOutputClosed, error is Interrupted { Foundation.exit(ErrorName.statusOfClosedOutput) }
        guard let failure else {
            // Help that is not printed on a terminal is laid out for a terminal of the usual width.
            let style = Style.standardOutput
            let message = NFCTool.fullMessage(for: error, columns: style.isTerminal ? style.width : Style.plain.width)
            let code = NFCTool.exitCode(for: error)
            if code == .success {
                StandardOutput.print(HelpText(message).text)
            } else if !message.isEmpty {
                let lines = usageText(message).split(separator: "\n").map { TerminalText.escaped($0) }
                StandardError.print(lines.joined(separator: "\n") + "\n")
            }
            Foundation.exit(code.rawValue)
        }
        show(failure)
        Foundation.exit(failure.name.exitStatus)
    }

    /// Prints the failure on stderr, unless printing would block.
    ///
    /// For a process that must end immediately.
    func showIfTaken() {
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard let failure, poll(&output, 1, 100) == 1, output.revents & Int16(POLLOUT) != 0 else { return }
        show(failure)
    }

    private func show(_ failure: any Failure) {
        if asJSON { StandardError.printLine(json(failure)) } else { StandardError.print(text(failure)) }
    }

    /// The error as a failure.
    ///
    /// Nil for an exit code that is a result, and for output that argument-parser prints: help, the version and,
    /// without JSON, usage errors.
    private var failure: (any Failure)? {
        if error is ExitCode { return nil }
        if let failure = error as? any Failure { return failure }
        if let failure = TagFailure(error) { return failure }
        switch NFCTool.exitCode(for: error) {
        case .success: return nil
        case .validationFailure:
            return asJSON ? UsageFailure(message: usageText(NFCTool.message(for: error))) : nil
        default: return InternalFailure(message: "\(error)")
        }
    }

    private func usageText(_ message: String) -> String {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let command = CommandWords(arguments).command
        let help = command.map { NFCTool.helpMessage(for: $0, columns: Style.plain.width) } ?? ""
        return UsageText(message, arguments) { option in
            help.split { $0.isWhitespace || $0 == "," }.contains { $0 == option }
        }.text
    }

    private func text(_ failure: any Failure) -> String {
        var lines = ["nfctool: " + TerminalText.escaped(failure.message)]
        lines += failure.lines.map { "  " + TerminalText.escaped($0) }
        if let advice = Advice(for: failure)?.text { lines += advice.split(separator: "\n").map { "  " + $0 } }
        return lines.joined(separator: "\n") + "\n"
    }

    private func json(_ failure: any Failure) -> String {
        let object = FailureObject(
            error: failure.name, message: failure.message, advice: Advice(for: failure)?.text, details: failure.details)
        return (try? JSONLine.string(object)) ?? ""
    }
}

private struct FailureObject: Encodable {
    let schema = 1
    let error: ErrorName
    let message: String
    let advice: String?
    let details: [String: FailureDetail]

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(schema, forKey: Key(stringValue: "schema"))
        try container.encode(error, forKey: Key(stringValue: "error"))
        try container.encode(message, forKey: Key(stringValue: "message"))
        try container.encodeIfPresent(advice, forKey: Key(stringValue: "advice"))
        for (key, detail) in details { try container.encode(detail, forKey: Key(stringValue: key)) }
    }
}

extension FailureReport {
    /// Whether the output is for a program.
    ///
    /// In `ndef encode --json FILE`, the option applies to the input, so it does not count.
    private static var isForProgram: Bool {
        CommandLine.arguments.contains("--json") && !CommandLine.arguments.dropFirst().starts(with: ["ndef", "encode"])
    }

    static func exit(_ error: any Error) -> Never { FailureReport(error, asJSON: isForProgram).exit() }

    /// Prints why the process ends before its work is complete, and ends the process with the matching exit code.
    static func finish(_ end: ProgramEnd) -> Never {
        let error: any Error
        switch end {
        case .outputClosed: _exit(ErrorName.statusOfClosedOutput)
        case .outputFailed(let reason, let change):
            exit(UnwritableFile(path: "Standard output", reason: reason, change: change))
        case .forced: error = ForcedEnd()
        case .interrupted: error = Interrupted(cause: nil)
        }
        FailureReport(error, asJSON: isForProgram).showIfTaken()
        // Other threads are still running, and may use what `exit` would clean up.
        _exit(ErrorName.interrupted.exitStatus)
    }
}

/// A signal was received, and the command did not end in time or the user repeated the signal.
struct ForcedEnd: Failure {
    var name: ErrorName { .interrupted }
    var message: String { "Interrupted before the command could finish." }
}

struct InternalFailure: Failure {
    let message: String
    var name: ErrorName { .internal }
}
