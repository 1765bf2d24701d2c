// The reader of one session: how it is opened and closed. The reader may only be called on its queue

import Dispatch
import ReaderInterface
import Synchronization

/// The reader of one session that has begun.
///
/// All work except ``abort()`` happens on ``queue``. The sessions of this process that use the same reader share this
/// queue, one after the other. Therefore, a session that begins while another one ends finds the reader closed.
final class SessionReader: @unchecked Sendable {  // `reader` is only used on `queue`
    let queue: DispatchQueue
    private let specification: ReaderSpecification
    private(set) var reader: (any Reader)?
    /// The name of the open reader, or nil before it is open.
    ///
    /// May be read from any thread.
    private let openName = Mutex<String?>(nil)
    private let openChip = Mutex<String?>(nil)
    private let abortable = Mutex<(reader: (any Reader)?, isAborted: Bool)>((nil, false))

    init(_ specification: ReaderSpecification) {
        self.specification = specification
        queue = ReaderQueues.queue(for: specification)
    }

    private static let otherSession = "another session of this program"

    /// Reserves the reader for this session until ``release()``.
    ///
    /// May be called from any thread.
    ///
    /// - Throws: ``ReaderError/busy(connection:holder:)`` if another session of this process holds the reader.
    func take() throws(ReaderError) {
        guard ReaderQueues.give(specification, to: self) else {
            throw .busy(connection: specification.text, holder: Self.otherSession)
        }
    }

    /// Opens the reader.
    ///
    /// - Throws: ``ReaderError``, or an error about a `virtual:` specification.
    func open() throws {
        let connection = try specification.connection() ?? AutomaticReader.connection()
        let reader = try BackEnds.backEnd(of: connection).open(connection, on: queue, letAbort: letAbort)
        guard ReaderQueues.opened(reader.connection, by: self) else {
            reader.close()
            throw ReaderError.busy(connection: reader.connection, holder: Self.otherSession)
        }
        // A reader that was reset may have a new device number.
        let name = specification.lastingName(of: reader.connection)
        openName.withLock { $0 = name }
        openChip.withLock { $0 = reader.chip }
        self.reader = reader
    }

    private func letAbort(_ reader: any Reader) {
        let isAborted = abortable.withLock { abortable in
            abortable.reader = reader
            return abortable.isAborted
        }
        if isAborted { reader.abort() }
    }

    /// The reader's name as shown to people, or nil before the reader was opened.
    ///
    /// The name stays valid after the reader is unplugged and plugged in again. For a virtual reader, it is the name
    /// that the user gave.
    var name: String? { openName.withLock { $0 } }

    /// The chip that the reader reported.
    ///
    /// Nil before the reader was opened, or if the chip is not known.
    var chip: String? { openChip.withLock { $0 } }

    /// Releases the reader for the next session, after its closing was queued.
    ///
    /// May be called from any thread.
    func release() { ReaderQueues.takeBack(specification, from: self) }

    /// Aborts the reader's work.
    ///
    /// May be called from any thread.
    func abort() {
        let reader = abortable.withLock { abortable in
            abortable.isAborted = true
            return abortable.reader
        }
        reader?.abort()
    }

    func close() {
        reader?.close()
        reader = nil
        ReaderQueues.closed(self)
        abortable.withLock { $0.reader = nil }
    }

    /// Shows a signal if this reader supports it, and returns whether the signal was shown.
    func signal(_ signal: Signal) -> Bool { (reader as? any SignallingReader)?.signal(signal) ?? false }

    /// The reader as one that can itself be a target.
    ///
    /// Throws an error if the reader's driver does not support this.
    var listener: any ListeningReader {
        get throws(ReaderError) {
            guard let listener = reader as? any ListeningReader else {
                throw .cannotListen(connection: name ?? "", reason: "its driver does not support this")
            }
            return listener
        }
    }
}
