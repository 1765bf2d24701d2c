// A shell command per tag: the event on stdin, facts in the environment, nothing from the tag in its text — CLI.md, scan

import Foundation
import NDEF
import TagTypes

/// A command to run for a tag.
struct TagCommand {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Runs the command with `/bin/sh -c` and waits for its end.
    ///
    /// - Throws: ``CommandNotStarted`` when there is no shell to run it.
    func run(with reading: TagReading) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", text]
        process.environment = environment(for: reading)
        let input = Pipe()
        process.standardInput = input
        do {
            let event = try JSONLine.string(reading) + "\n"
            // A command that does not read its input must not end the scan.
            signal(SIGPIPE, SIG_IGN)
            try process.run()
            try? input.fileHandleForWriting.write(contentsOf: Data(event.utf8))
            try? input.fileHandleForWriting.close()
        } catch {
            throw CommandNotStarted(reason: error.localizedDescription)
        }
        process.waitUntilExit()
    }

    private func environment(for reading: TagReading) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        // libnfc's, set by this process only to keep it quiet.
        environment["LIBNFC_LOG_LEVEL"] = nil
        environment["NFC_UID"] = reading.uid
        environment["NFC_TYPE"] = TagDetection.tagType(of: reading.target).type.map { "\($0)" } ?? ""
        environment["NFC_CHIP"] = reading.name
        environment["NFC_URI"] = ""
        environment["NFC_TEXT"] = ""
        for record in reading.message.records.reversed() {
            switch record.content {
            case .uri(let content): environment["NFC_URI"] = content.uri
            case .absoluteURI(let content): environment["NFC_URI"] = content.uri
            case .smartPoster(let content): environment["NFC_URI"] = content.uri
            case .text(let content): environment["NFC_TEXT"] = content.text
            default: break
            }
        }
        // An environment cannot hold NUL, and a tag can.
        return environment.mapValues { String($0.prefix { $0 != "\0" }) }
    }
}

/// The shell could not be started.
struct CommandNotStarted: Failure {
    let reason: String
    var name: ErrorName { .internal }
    var message: String { "The command could not be started: \(reason)" }
}
