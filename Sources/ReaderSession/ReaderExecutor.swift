// The reader's queue as an executor: work that only ever waits for the reader needs no other thread — SE-0417

import Dispatch

/// Runs tasks on the queue that owns a reader.
///
/// A task that goes from one operation on a tag to the next is not woken on another thread after each. What takes its time
/// elsewhere, as a disk does, holds up the reader here: that is for another executor.
final class ReaderExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
