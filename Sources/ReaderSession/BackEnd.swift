// A common interface for the libraries that drive readers

package import Dispatch
import LibNFC
import Logging
import PCSCReaders
package import ReaderInterface
import ReaderProcess
import Synchronization

/// A library that drives readers.
///
/// It reports every error as a `ReaderError`.
package protocol BackEnd: Sendable {
    /// Opens a reader.
    ///
    /// - Parameters:
    ///   - connection: the back end's name for the reader, or nil for the first reader that it finds.
    ///   - queue: the queue that will own the reader, on which this method is called.
    ///   - letAbort: receives the reader as soon as it can be aborted, which may be before it is open.
    /// - Returns: the open reader.
    /// - Throws: `ReaderError.noReader` if the reader is not connected; for a reader that cannot be opened, another
    ///   error, such as `ReaderError.busy`.
    func open(
        _ connection: String?, on queue: DispatchQueue, letAbort: (any Reader) -> Void
    ) throws(ReaderError) -> any Reader

    /// The back end's names for the readers that it finds now.
    func connections() throws(ReaderError) -> [String]
}

package enum BackEnds {
    /// The back end for most readers.
    ///
    /// It also serves virtual readers, whose chips are at the other end of a pseudo-terminal.
    static let libnfc: any BackEnd = LibNFCBackEnd()
    /// The back end for readers that the smart-card daemon pcscd drives.
    static let pcsc: any BackEnd = PCSCBackEnd()
    private static let others = Mutex<[String: any BackEnd]>([:])

    /// Adds a back end for readers that a program creates itself.
    ///
    /// Their names begin with the scheme and a colon.
    package static func add(_ backEnd: any BackEnd, forNamesIn scheme: String) {
        others.withLock { $0[scheme] = backEnd }
    }

    /// Returns the back end for a connection string, or the one for libnfc if the string is nil.
    static func backEnd(of connection: String?) -> any BackEnd {
        guard let connection else { return libnfc }
        if isSmartCardReader(connection) { return pcsc }
        let scheme = connection.split(separator: ":", maxSplits: 1).first.map(String.init)
        return scheme.flatMap { scheme in others.withLock { $0[scheme] } } ?? libnfc
    }

    /// Whether a connection string names a reader that pcscd drives.
    static func isSmartCardReader(_ connection: String) -> Bool { connection.hasPrefix(PCSCReader.scheme) }

    /// Returns the connection strings of all available readers.
    ///
    /// If the smart-card daemon does not answer, libnfc's readers are returned.
    package static func connections() throws(ReaderError) -> [String] {
        let found = try libnfc.connections()
        return found + ((try? pcsc.connections()) ?? [])
    }
}

/// libnfc, run in a separate process if there is a program for that, and in this process otherwise.
struct LibNFCBackEnd: BackEnd {
    func open(
        _ connection: String?, on queue: DispatchQueue, letAbort: (any Reader) -> Void
    ) throws(ReaderError) -> any Reader {
        guard let isolated = try LibNFCHost.start() else {
            let chosen: String
            if let connection { chosen = connection } else { chosen = try firstConnection() }
            let reader = try LibNFCReader(
                connection: chosen, queue: queue, logger: Logger(label: "nfctool.reader"))
            letAbort(reader)
            return reader
        }
        // Call this before opening the reader: an unresponsive reader takes time, and the end of the session must not
        // wait for it.
        letAbort(isolated)
        do throws(ReaderError) {
            try isolated.open(connection)
        } catch {
            // libnfc skips readers that it may not open. Open one explicitly to report the reason.
            guard error == .noReader(connection: nil), let first = ReaderSpecification.firstPluggedIn else {
                throw error
            }
            try isolated.open(first)
        }
        return isolated
    }

    func connections() throws(ReaderError) -> [String] {
        guard let isolated = try LibNFCHost.start() else { return LibNFC.connections() }
        return try isolated.connections()
    }

    private func firstConnection() throws(ReaderError) -> String {
        guard let first = LibNFC.connections().first else { throw .noReader(connection: nil) }
        return first
    }
}
