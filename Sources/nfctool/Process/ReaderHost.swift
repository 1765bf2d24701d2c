// libnfc in a separate process for each reader: this program, started with arguments that no user types

import Dispatch
import Foundation
import ReaderProcess
import ReaderSession
import Synchronization
import Terminal

/// The process that holds a reader for another nfctool.
///
/// libnfc calls `abort()` on some malformed replies of a chip, and has loops that only a reply of the chip ends.
/// Neither may stop the command while a tag is half written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"
    private static let secretsOption = "--show-secrets"
    private static let fastOption = "--fast"

    /// The options of the processes that hold readers, and the output that they may print.
    private struct Settings {
        var options: [String] = []
        var showsErrors = false
        var showsDebugLines = false
    }
    private static let settings = Mutex(Settings())

    /// Makes the sessions of this process use a separate process for each reader.
    static func start() { change { _ in } }

    private static func change(_ body: (inout Settings) -> Void) {
        let settings = settings.withLock { settings in
            body(&settings)
            return settings
        }
        LibNFCHost.program = ReaderProgram(
            path: executable, arguments: [word] + settings.options, showsErrors: settings.showsErrors,
            showsDebugLines: settings.showsDebugLines)
    }

    /// Makes readers that are opened from now on use more than 106 kbit/s with tags that support it.
    static func useHigherBitRates() { change { $0.options.append(fastOption) } }

    /// Makes readers that are opened from now on show their frames on stderr, as this process does.
    ///
    /// `withLibrary` also shows libnfc's own lines.
    static func traceReaders(showingSecrets: Bool, withLibrary: Bool) {
        change {
            $0.options += [traceOption] + (showingSecrets ? [secretsOption] : [])
            ($0.showsErrors, $0.showsDebugLines) = (true, withLibrary)
        }
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
        if options.contains(traceOption) { WireTrace.log(showingSecrets: options.contains(secretsOption)) }
        LibNFCHost.serve(usesHigherBitRates: options.contains(fastOption))
    }

    /// The path of this program, so that other users recognise the process that holds a reader by its name;
    /// `/proc/self/exe` if the program is no longer at that path.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: path)
        else { return link }
        return path
    }
}
