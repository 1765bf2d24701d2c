// libnfc in a separate process for each reader. The process is this program, started with special arguments

import Dispatch
import Foundation
import ReaderProcess
import ReaderSession
import Synchronization
import Terminal

/// The process that has a reader open for another nfctool process.
///
/// libnfc calls `abort()` for some malformed replies from a chip, and has loops that only a reply from the chip ends.
/// Neither may stop the command while a tag is only partly written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"
    private static let secretsOption = "--show-secrets"
    private static let fastOption = "--fast"

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

    /// Shows the frames of readers that are opened from now on, on stderr.
    ///
    /// Their format is the same as for frames of this process. `withLibrary` also shows libnfc's own lines.
    static func traceReaders(showingSecrets: Bool, withLibrary: Bool) {
        change {
            $0.options += [traceOption] + (showingSecrets ? [secretsOption] : [])
            ($0.showsErrors, $0.showsDebugLines) = (true, withLibrary)
        }
    }

    /// The time that the parent process has to end after a signal.
    private static let grace = DispatchTimeInterval.milliseconds(900)

    /// Whether this process was started to open a reader for another nfctool.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.count >= 2 && arguments[1] == word }

    /// Makes this process end in an orderly way after a signal, but only after its parent process.
    ///
    /// `killall nfctool` and a service manager that stops a service send the signal to both processes, while the parent
    /// may still be working on a tag.
    static func leaveOnSignal() {
        SignalSource.install { _ in
            DispatchQueue.global().asyncAfter(deadline: .now() + grace) {
                // This ends the stream of requests, and the server closes the reader.
                shutdown(STDIN_FILENO, Int32(SHUT_RD))
            }
        }
    }

    static func serve(_ arguments: [String]) -> Never {
        let options = arguments.dropFirst(2)
        if options.contains(traceOption) { WireTrace.log(showingSecrets: options.contains(secretsOption)) }
        LibNFCHost.serve(usesHigherBitRates: options.contains(fastOption))
    }

    /// The path of this program, by whose name other users can recognise the process.
    ///
    /// `/proc/self/exe` if the program is no longer at its path.
    private static var executable: String {
        let link = "/proc/self/exe"
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            FileManager.default.isExecutableFile(atPath: path)
        else { return link }
        return path
    }
}
