// What nfctool asks of a session beyond Apple's interface

import LibNFC
import Logging
package import NFCReader
package import ReaderProcess
import Synchronization

extension NFCReaderSession {
    /// The connection string of the reader in use; nil before it is open.
    package var readerConnection: String? { tagReader?.connection }

    /// Shows a signal on the reader in use, in turn with what else it does.
    ///
    /// - Parameters:
    ///   - signal: what to show.
    ///   - completionHandler: told on the reader's queue whether it was shown: false when the reader has neither
    ///     lamp nor buzzer, does not obey, or is not open.
    package func signal(_ signal: Signal, completionHandler: @escaping @Sendable (Bool) -> Void) {
        guard let tagReader else { return completionHandler(false) }
        tagReader.queue.async { completionHandler(tagReader.signal(signal)) }
    }

    /// What names the reader in use also when it was unplugged and plugged in, such as `usb:1-2`; nil before it is open.
    package var lastingReader: String? { tagReader?.lastingName }

    /// What people call the reader in use: as ``lastingReader``, a virtual one by its connection string; nil before it is open.
    package var readerName: String? { tagReader?.name }

    /// What the chip of the reader in use said it is; nil before it is open, and where it is not known.
    package var readerChip: String? { tagReader?.chip }

    /// The identifiers of tags that are no news: a poll that finds another one looks with no further technology.
    ///
    /// Nil, the default, for polls that look with all technologies. Several tags of one technology are told apart all the same.
    package var settledTags: Set<[UInt8]>? {
        get { state.withLock { $0.settledTags } }
        set { state.withLock { $0.settledTags = newValue } }
    }

    /// Whether there may be more tags in the field than the last poll that found some could tell apart.
    ///
    /// Does not change before polling is restarted.
    package internal(set) var hasMoreTargets: Bool {
        get { state.withLock { $0.hasMoreTargets } }
        set { state.withLock { $0.hasMoreTargets = newValue } }
    }

    /// The program that holds readers for the sessions of this process, each in a process of its own; nil, the default, to
    /// look for an nfctool of this version (``ReaderHost``).
    ///
    /// It ends in ``serveReader()``.
    package class var readerProgram: ReaderProgram? {
        get { program.withLock { $0 } }
        set { program.withLock { $0 = newValue } }
    }

    private static let program = Mutex<ReaderProgram?>(nil)

    /// Holds a reader for the process that started this one, and ends this process with it.
    package class func serveReader() -> Never {
        LibNFC.maskFrameLog()
        let source = ReaderServer.Source(
            connections: LibNFC.connections,
            open: { (connection, queue) throws(ReaderError) in
                try LibNFCReader(connection: connection, queue: queue, logger: Logger(label: "nfctool.reader"))
            })
        ReaderServer(source).run()
    }

    /// The connection strings of the readers libnfc finds.
    /// - Throws: `ReaderError` when libnfc did not survive the search.
    package class func libnfcConnections() throws -> [String] {
        guard let isolated = try ReaderHost.start() else { return LibNFC.connections() }
        return try isolated.connections()
    }

    /// The version of libnfc.
    package class var libraryVersion: String { LibNFC.version }
}

extension LibNFC {
    /// The first reader that libnfc finds.
    /// - Throws: ``NFCReader/ReaderError/noReader(connection:)``.
    static func firstConnection() throws(ReaderError) -> String {
        guard let first = connections().first else { throw .noReader(connection: nil) }
        return first
    }
}
