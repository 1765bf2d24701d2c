// A thread that can be asked to end and waited for — pthreads(7), pipe(7)

import Glibc
import Synchronization

/// A thread that serves descriptors until it is stopped.
package final class ServiceThread: Sendable {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let wake: WakePipe
    private let id = Mutex<pthread_t?>(nil)

    /// Starts a thread.
    ///
    /// The thread's body must return after ``stop()`` has closed `wake`.
    ///
    /// - Throws: ``VirtualReaderError/noThread(_:)``.
    package init(wake: WakePipe, body: @escaping @Sendable () -> Void) throws(VirtualReaderError) {
        self.wake = wake
        var id = pthread_t()
        let context = Unmanaged.passRetained(Body(body))
        let result = pthread_create(
            &id, nil,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw .noThread(result)
        }
        self.id.withLock { $0 = id }
    }

    /// Ends the thread and waits until it has ended.
    ///
    /// Returns false if it was stopped before.
    @discardableResult
    package func stop() -> Bool {
        let id = id.withLock { id -> pthread_t? in
            defer { id = nil }
            return id
        }
        guard let id else { return false }
        wake.close()
        pthread_join(id, nil)
        return true
    }
}

/// A pipe that wakes a thread from `poll`.
///
/// Any thread may use it.
package final class WakePipe: Sendable {
    /// The end to poll: it becomes readable at a wake-up, and hangs up when the pipe is closed.
    package let readEnd: Int32
    private let writeEnd: Mutex<Int32>

    package init() throws(VirtualReaderError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .noThread(errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = Mutex(ends[1])
    }

    deinit {
        close()
        Glibc.close(readEnd)
    }

    package func signal() {
        writeEnd.withLock { end in
            var byte: UInt8 = 0
            if end >= 0 { _ = write(end, &byte, 1) }
        }
    }

    /// Closes the pipe, which wakes the thread for the last time.
    package func close() {
        writeEnd.withLock { end in
            if end >= 0 { Glibc.close(end) }
            end = -1
        }
    }

    /// Removes all wake-ups from the pipe, and returns whether the pipe is still open.
    package func drain() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            if count < 0 { return true }
            if count == 0 { return false }
        }
    }
}
