// The reader's queue as an executor. Work that waits only for the reader needs no other thread — SE-0417

import Dispatch

/// Runs tasks on the queue that owns a reader.
///
/// A task that performs several operations on a tag does not switch threads between them. Other slow work, such as disk
/// access, would block the reader here and belongs on another executor.
final class ReaderExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
