// The reader's queue as an executor: work that waits only for the reader needs no other thread — SE-0417

import Dispatch

/// Runs tasks on the queue that owns a reader.
///
/// A task that performs one operation on a tag after another does not switch threads between them. Other slow work,
/// such as disk access, would block the reader here and belongs on another executor.
final class ReaderExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
