// libnfc in a separate process for each reader: this program itself, started with special arguments

import Dispatch
import Foundation
import ReaderProcess
import ReaderSession
import Synchronization
import Terminal

/// The process that has a reader open for another nfctool.
///
/// libnfc calls `abort()` for some malformed replies from a chip, and has loops that only a reply from the chip ends.
/// Neither may stop the command while a tag is only partly written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"
    private static let secretsOption = "--show-secrets"
    private static let fastOption = "--fast"

    /// The options for the processes of readers, and what these processes may print.
    private struct Settings {
        var options: [String] = []
        var showsErrors = false
        var showsDebugLines = false
    }
    private static let settings = Mutex(Settings())

    /// Makes the sessions of this process open each reader in a separate process.
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

    /// Allows more than 106 kbit/s, with tags that support it, for readers that are opened from now on.
    static func useHigherBitRates() { change { $0.options.append(fastOption) } }

    /// Shows the frames of readers that are opened from now on, on stderr, in the same way as those of this process.
    ///
    /// `withLibrary` also shows libnfc's own lines.
    static func traceReaders(showingSecrets: Bool, withLibrary: Bool) {
        change {
            $0.options += [traceOption] + (showingSecrets ? [secretsOption] : [])
            ($0.showsErrors, $0.showsDebugLines) = (true, withLibrary)
        }
    }

    /// The time that the parent process gets to end after a signal.
    private static let grace = DispatchTimeInterval.milliseconds(900)

    /// Whether this process was started to open a reader for another nfctool.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.count >= 2 && arguments[1] == word }

    /// Makes a signal end this process in an orderly way, but only after its parent process.
    ///
    /// `killall nfctool` and the stop of a service send the signal to both processes, while the parent may still be
    /// working on a tag.
    static func leaveOnSignal() {
        SignalSource.install { _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                // This ends the stream of requests. The server then closes the reader.
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

    /// The path of this program.
    ///
    /// Other users can then recognise the process by the program's name. If the program is no longer at its path, this
    /// is `/proc/self/exe`.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: path)
        else { return link }
        return path
    }
}
