// --trace — Docs/CommandLine.md, Options of tag commands

import Foundation
import Logging
import ReaderInterface
import Synchronization
import Terminal

/// The frames to and from tags, on stderr.
enum WireTrace {
    /// What `--trace` has for libnfc's own lines, too.
    private static let option = (plain: "--trace", all: "--trace=all")
    private static let showsLibrary = Atomic(false)

    /// The words of a command line with `--trace` for `--trace=all`, which is kept in mind: argument-parser has no option that takes a
    /// value or none.
    static func take(_ arguments: [String]) -> [String] {
        arguments.map { word in
            guard word == option.all else { return word }
            showsLibrary.store(true, ordering: .relaxed)
            return option.plain
        }
    }

    /// Shows them from now on; once in a process.
    ///
    /// - Parameter showsSecrets: whether passwords and keys are shown.
    static func start(showingSecrets showsSecrets: Bool) {
        ReaderHost.traceReaders(
            showingSecrets: showsSecrets, withLibrary: showsLibrary.load(ordering: .relaxed))
        log(showingSecrets: showsSecrets)
    }

    /// Prints what this process logs.
    static func log(showingSecrets showsSecrets: Bool) {
        WireMask.showsSecrets.store(showsSecrets, ordering: .relaxed)
        LoggingSystem.bootstrap { _ in TraceLine() }
    }
}

/// A line for each frame: `17:05:09.123 usb:1-2 > 30 04`.
private struct TraceLine: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let reader = metadata["reader"].map { "\($0) " } ?? ""
        StandardError.printLine(TerminalText.escaped("\(Date().preciseClock) \(reader)\(event.message)"))
    }
}
