// The libraries that drive readers, behind one interface

package import Dispatch
import LibNFC
import Logging
import PCSCReaders
package import ReaderInterface
import ReaderProcess
import Synchronization

/// A library that drives readers.
///
/// Whatever it calls its errors: what leaves it is a `ReaderError`.
package protocol BackEnd: Sendable {
    /// Opens a reader.
    ///
    /// - Parameters:
    ///   - connection: the back end's own name for the reader; nil for the first that it finds.
    ///   - queue: the queue that is to own the reader, on which this is called.
    ///   - letAbort: given the reader as soon as it can be aborted, which may be before it is open.
    /// - Returns: the open reader.
    /// - Throws: `ReaderError.noReader` when it is not there; else why it does not open, such as that it is in use.
    func open(
        _ connection: String?, on queue: DispatchQueue, letAbort: (any Reader) -> Void
    ) throws(ReaderError) -> any Reader

    /// Its own names for the readers that it finds now.
    func connections() throws(ReaderError) -> [String]
}

/// The back ends of this process.
package enum BackEnds {
    /// The one for most readers, virtual ones too: their chip is at the other end of a pseudo-terminal.
    static let libnfc: any BackEnd = LibNFCBackEnd()
    /// The one for readers that the smart-card daemon pcscd drives.
    static let pcsc: any BackEnd = PCSCBackEnd()
    private static let others = Mutex<[String: any BackEnd]>([:])

    /// Adds a back end for the readers whose names begin with a word and a colon; for readers that a program makes itself.
    package static func add(_ backEnd: any BackEnd, forNamesIn scheme: String) {
        others.withLock { $0[scheme] = backEnd }
    }

    /// The one that a connection string is for.
    static func backEnd(of connection: String?) -> any BackEnd {
        guard let connection else { return libnfc }
        if isSmartCardReader(connection) { return pcsc }
        let scheme = connection.split(separator: ":", maxSplits: 1).first.map(String.init)
        return scheme.flatMap { scheme in others.withLock { $0[scheme] } } ?? libnfc
    }

    /// Whether a connection string names a reader that pcscd drives.
    static func isSmartCardReader(_ connection: String) -> Bool { connection.hasPrefix(PCSCReader.scheme) }

    /// The connection strings of all readers that are found.
    ///
    /// The other readers are found even if the smart-card daemon does not answer.
    package static func connections() throws(ReaderError) -> [String] {
        let found = try libnfc.connections()
        return found + ((try? pcsc.connections()) ?? [])
    }
}

/// libnfc, in a process of its own where there is a program for that, else in this one.
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
        // Before it opens: that takes the time of a mute reader, and an end must not wait for it.
        letAbort(isolated)
        do throws(ReaderError) {
            try isolated.open(connection)
        } catch {
            // libnfc passes over readers that it may not open: the user is to know why.
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
