// libnfc in a separate process for each reader: this program, started with arguments that no user types

import Dispatch
import Foundation
import ReaderProcess
import ReaderSession
import Terminal

/// The process that holds a reader for another nfctool.
///
/// libnfc calls `abort()` on some malformed replies of a chip, and has loops that only a reply of the chip ends.
/// Neither may stop the command while a tag is half written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"
    private static let secretsOption = "--show-secrets"

    /// Makes the sessions of this process use a separate process for each reader.
    static func start() { LibNFCHost.program = ReaderProgram(path: executable, arguments: [word]) }

    /// Makes readers that are opened from now on show their frames on stderr, as this process does.
    ///
    /// `withLibrary` also shows libnfc's own lines.
    static func traceReaders(showingSecrets: Bool, withLibrary: Bool) {
        LibNFCHost.program = ReaderProgram(
            path: executable, arguments: [word, traceOption] + (showingSecrets ? [secretsOption] : []),
            showsErrors: true, showsDebugLines: withLibrary)
    }

    /// The time that the parent process has to end after a signal.
    private static let grace = DispatchTimeInterval.milliseconds(900)

    /// Whether this process was started to hold a reader, not to run a user's command.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.count >= 2 && arguments[1] == word }

    /// Makes a signal end this process in an orderly way, after its parent process.
    ///
    /// `killall nfctool` and the stop of a service signal both processes, but the parent may still be working on a tag.
    static func leaveOnSignal() {
        SignalSource.install { _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                // Ends the stream of requests; the server then closes the reader.
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

    /// The path of this program if it is still executable there, because other users see the name of a process that
    /// holds a reader.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: path)
        else { return link }
        return path
    }
}
