// The queue that owns a reader: one for all sessions that use it, one after the other

import Dispatch
import Synchronization

/// The queues of this process's readers, for the life of the process.
enum ReaderQueues {
    private static let queues = Mutex<[ReaderSpecification: DispatchQueue]>([:])

    /// The serial queue for the reader with this specification.
    static func queue(for specification: ReaderSpecification) -> DispatchQueue {
        queues.withLock { queues in
            if let queue = queues[specification] { return queue }
            let queue = DispatchQueue(label: "CoreNFC.reader")
            queues[specification] = queue
            return queue
        }
    }
}
