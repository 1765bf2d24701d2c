// --trace — Docs/CommandLine.md, Options of tag commands

import Logging

/// The bytes to and from the readers, on stderr.
enum WireTrace {
    /// Shows them from now on; once in a process.
    static func start() {
        ReaderHost.traceReaders()
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .trace
            return handler
        }
    }
}
