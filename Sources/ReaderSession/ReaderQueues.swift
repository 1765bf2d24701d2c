// The queues that own readers: one per reader, shared by the sessions that use it one after the other

import Dispatch
import Synchronization

/// The queues of this process's readers, which are kept until the process ends, and the sessions that hold them.
enum ReaderQueues {
    private static let queues = Mutex<[ReaderSpecification: DispatchQueue]>([:])
    private static let open = Mutex<[String: ObjectIdentifier]>([:])
    private static let holders = Mutex<[ReaderSpecification: ObjectIdentifier]>([:])

    /// Returns the serial queue for the reader with this specification.
    static func queue(for specification: ReaderSpecification) -> DispatchQueue {
        queues.withLock { queues in
            if let queue = queues[specification] { return queue }
            let queue = DispatchQueue(label: "ReaderSession.reader")
            queues[specification] = queue
            return queue
        }
    }

    /// Assigns the queue to a session.
    ///
    /// Returns false if a session that has not ended holds the queue, because that session may block the queue for
    /// seconds.
    static func give(_ specification: ReaderSpecification, to reader: SessionReader) -> Bool {
        holders.withLock { holders in
            guard holders[specification] == nil else { return false }
            holders[specification] = ObjectIdentifier(reader)
            return true
        }
    }

    static func takeBack(_ specification: ReaderSpecification, from reader: SessionReader) {
        holders.withLock { holders in
            if holders[specification] == ObjectIdentifier(reader) { holders[specification] = nil }
        }
    }

    /// Records which session opened a pcscd reader, because pcscd lets sessions share readers.
    ///
    /// Returns false if another session has opened the reader under another name.
    static func opened(_ connection: String, by reader: SessionReader) -> Bool {
        guard BackEnds.isSmartCardReader(connection) else { return true }
        return open.withLock { open in
            guard open[connection] == nil else { return false }
            open[connection] = ObjectIdentifier(reader)
            return true
        }
    }

    static func closed(_ reader: SessionReader) {
        open.withLock { open in
            for (connection, holder) in open where holder == ObjectIdentifier(reader) { open[connection] = nil }
        }
    }
}
