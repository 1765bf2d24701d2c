// One session at a time has a reader — CoreNFC, code 203

import Dispatch
import NFCReader
import Synchronization

/// The right of one session to use a reader, given back when the lease goes.
final class ReaderLease: Sendable {
    private static let taken = Mutex<Set<String>>([])
    private static let queues = Mutex<[ReaderSpecification: DispatchQueue]>([:])

    private let connection: String

    /// Takes a reader.
    ///
    /// - Throws: ``ReaderError/busy(connection:holder:)`` while another session of this process has it.
    init(connection: String) throws(ReaderError) {
        let isFree = Self.taken.withLock { $0.insert(connection).inserted }
        guard isFree else { throw .busy(connection: connection, holder: "another session of this process") }
        self.connection = connection
    }

    deinit {
        _ = Self.taken.withLock { $0.remove(connection) }
    }

    /// The queue that owns the reader: one per specification, for the life of the process.
    static func queue(for specification: ReaderSpecification) -> DispatchQueue {
        queues.withLock { queues in
            if let queue = queues[specification] { return queue }
            let queue = DispatchQueue(label: "CoreNFC.reader")
            queues[specification] = queue
            return queue
        }
    }
}
