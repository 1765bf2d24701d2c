// The reader of one session: opened and closed — on the reader's queue, which alone may call the reader

package import Dispatch
package import ReaderInterface
import Synchronization

/// The reader of one session that has begun.
///
/// All but ``abort()`` happens on ``queue``, which this process shares between the sessions that use the same reader one
/// after the other: so a session that begins while another ends finds the reader closed.
package final class SessionReader: @unchecked Sendable {  // `reader` is touched on `queue` only
    package let queue: DispatchQueue
    private let specification: ReaderSpecification
    private(set) var reader: (any Reader)?
    /// The connection string of the open reader, readable from any thread.
    private let openConnection = Mutex<String?>(nil)
    private let openName = Mutex<String?>(nil)
    private let openChip = Mutex<String?>(nil)
    private let abortable = Mutex<(reader: (any Reader)?, isAborted: Bool)>((nil, false))

    package init(_ specification: ReaderSpecification) {
        self.specification = specification
        queue = ReaderQueues.queue(for: specification)
    }

    private static let otherSession = "another session of this program"

    /// Takes the reader before other sessions of this process, until ``release()``; from any thread.
    /// - Throws: ``ReaderError/busy(connection:holder:)``.
    package func take() throws(ReaderError) {
        guard ReaderQueues.give(specification, to: self) else {
            throw .busy(connection: specification.text, holder: Self.otherSession)
        }
    }

    /// Opens the reader.
    ///
    /// - Throws: ``ReaderError``, or what a `virtual:` specification is wrong about.
    package func open() throws {
        let connection = try specification.connection() ?? AutomaticReader.connection()
        let reader = try BackEnds.backEnd(of: connection).open(connection, on: queue, letAbort: letAbort)
        guard ReaderQueues.opened(reader.connection, by: self) else {
            reader.close()
            throw ReaderError.busy(connection: reader.connection, holder: Self.otherSession)
        }
        // A reader that was reset may have come back under another number.
        openConnection.withLock { $0 = reader.connection }
        let lastingName = specification.lastingName(of: reader.connection)
        openName.withLock { $0 = lastingName }
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

    /// The connection string of the reader, once it was open.
    package var connection: String? { openConnection.withLock { $0 } }

    /// What names the reader also when it was unplugged and plugged in; nil before it was open.
    package var lastingName: String? { openName.withLock { $0 } }

    /// Whether the reader is simulated in this program.
    var isVirtual: Bool { specification.isVirtual }

    /// What people call the reader: its lasting name, a virtual one its connection string; nil before it was open.
    package var name: String? { isVirtual ? connection : lastingName }

    /// What its chip said it is, once it was open.
    package var chip: String? { openChip.withLock { $0 } }

    /// Lets another session have the reader next, when it is to be closed on the queue; from any thread.
    package func release() { ReaderQueues.takeBack(specification, from: self) }

    /// Ends what the reader is doing; from any thread.
    package func abort() {
        let reader = abortable.withLock { abortable in
            abortable.isAborted = true
            return abortable.reader
        }
        reader?.abort()
    }

    /// Gives the reader back.
    package func close() {
        reader?.close()
        reader = nil
        ReaderQueues.closed(self)
        abortable.withLock { $0.reader = nil }
    }

    /// Shows a signal, if this reader can.
    package func signal(_ signal: Signal) -> Bool { (reader as? any SignallingReader)?.signal(signal) ?? false }

    /// The reader as one that can be a target itself.
    package var listener: any ListeningReader {
        get throws(ReaderError) {
            guard let listener = reader as? any ListeningReader else {
                throw .cannotListen(connection: connection ?? "", reason: "its driver does not support this")
            }
            return listener
        }
    }
}
