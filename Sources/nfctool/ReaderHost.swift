// libnfc in a process of its own, one for each reader: this program again, with arguments that no user types

import CoreNFC
import Foundation
import ReaderProcess

/// The process that holds a reader for another nfctool.
///
/// libnfc calls `abort()` on some broken replies of a chip, and has loops that only the chip ends: neither may take the
/// command down with a tag half written.
enum ReaderHost {
    private static let word = "reader-host"

    private static let traceOption = "--trace"

    /// Lets the sessions of this process hold their readers so.
    static func start() { start([word], showingErrors: false) }

    /// Lets readers that are opened from now on show their bytes on stderr, as this process does.
    static func traceReaders() { start([word, traceOption], showingErrors: true) }

    private static func start(_ arguments: [String], showingErrors: Bool) {
        NFCReaderSession.readerProgram = ReaderProgram(
            path: executable, arguments: arguments, showsErrors: showingErrors)
    }

    /// Serves, if this process was started for that; does not return then.
    static func serveIfAsked(_ arguments: [String]) {
        guard arguments.count >= 2, arguments[1] == word else { return }
        if arguments.dropFirst(2).first == traceOption { WireTrace.start() }
        NFCReaderSession.serveReader()
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
