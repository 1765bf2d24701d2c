// libnfc in a process of its own, one for each reader: this program again, with arguments that no user types

import Dispatch
import Foundation
import ReaderProcess
import ReaderSession
import Terminal

/// The process that holds a reader for another nfctool.
///
/// libnfc calls `abort()` on some broken replies of a chip, and has loops that only the chip ends: neither may take the
/// command down with a tag half written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"
    private static let secretsOption = "--show-secrets"

    /// Lets the sessions of this process hold their readers so.
    static func start() { LibNFCHost.program = ReaderProgram(path: executable, arguments: [word]) }

    /// Lets readers that are opened from now on show their frames on stderr, as this process does.
    ///
    /// `withLibrary` shows libnfc's own lines, too.
    static func traceReaders(showingSecrets: Bool, withLibrary: Bool) {
        LibNFCHost.program = ReaderProgram(
            path: executable, arguments: [word, traceOption] + (showingSecrets ? [secretsOption] : []),
            showsErrors: true, showsDebugLines: withLibrary)
    }

    /// How long the process that started this one has for its own end, once a signal came.
    private static let grace = DispatchTimeInterval.milliseconds(900)

    /// Whether this process was started to hold a reader: no command of the user's.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.count >= 2 && arguments[1] == word }

    /// Lets a signal end this process in good order, after the one that works with the reader.
    ///
    /// `killall nfctool`, or the end of a service, reaches both: the other one is still at its tag.
    static func leaveOnSignal() {
        SignalSource.install { _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                // The end of requests, after which the server closes the reader.
                shutdown(STDIN_FILENO, Int32(SHUT_RD))
            }
        }
    }

    /// Serves the process that started this one.
    static func serve(_ arguments: [String]) -> Never {
        let options = arguments.dropFirst(2)
        if options.first == traceOption { WireTrace.log(showingSecrets: options.contains(secretsOption)) }
        LibNFCHost.serve()
    }

    /// By its own name where it has one still, which others are shown who find the reader busy.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: path)
        else { return link }
        return path
    }
}
