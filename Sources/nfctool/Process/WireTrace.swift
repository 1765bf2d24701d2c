// The option --trace — Docs/CommandLine.md, Options of tag commands

import Foundation
import Logging
import ReaderInterface
import Synchronization
import Terminal

enum WireTrace {
    /// The option without and with libnfc's own lines.
    private static let option = (plain: "--trace", all: "--trace=all")
    private static let showsLibrary = Atomic(false)

    /// Returns the words of a command line with `--trace=all` replaced by `--trace`, and remembers whether there was
    /// one.
    ///
    /// argument-parser does not support options with an optional value.
    static func take(_ arguments: [String]) -> [String] {
        arguments.map { word in
            guard word == option.all else { return word }
            showsLibrary.store(true, ordering: .relaxed)
            return option.plain
        }
    }

    /// Shows the frames from now on.
    ///
    /// Call this at most once in a process.
    static func start(showingSecrets showsSecrets: Bool) {
        ReaderHost.traceReaders(
            showingSecrets: showsSecrets, withLibrary: showsLibrary.load(ordering: .relaxed))
        log(showingSecrets: showsSecrets)
    }

    static func log(showingSecrets showsSecrets: Bool) {
        WireMask.showsSecrets.store(showsSecrets, ordering: .relaxed)
        LoggingSystem.bootstrap { _ in TraceLine() }
    }
}

/// Prints one line for each frame: `17:05:09.123 usb:1-2 > 30 04`.
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
