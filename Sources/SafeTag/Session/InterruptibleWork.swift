// Work in sessions that can be interrupted at any moment

import Synchronization

/// Work in one or more sessions that can be interrupted, even before it begins.
///
/// It can be used from any thread.
package final class InterruptibleWork: Sendable {
    private struct State {
        var isInterrupted = false
        var sessions: [ObjectIdentifier: TagSession] = [:]
        var work: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Prepares work.
    ///
    /// Nothing happens before ``run(_:)``.
    package init() {}

    /// Runs the work and returns its result.
    ///
    /// If the work was interrupted, the result is the failure ``Interrupted``.
    package func run(_ work: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        let task = Task { try await work() }
        let isLate = state.withLock { state in
            state.work = task
            return state.isInterrupted
        }
        if isLate { task.cancel() }
        return await task.result.mapError { $0 is CancellationError ? Interrupted(cause: nil) : $0 }
    }

    /// Runs part of the work in a separate session, and returns when its reader is closed.
    ///
    /// - Throws: the same errors as ``TagSession/finish(_:succeeded:)``.
    package func run<Value: Sendable>(
        in setup: TagSession.Setup, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(setup)
        session.begin()
        let isLate = state.withLock { state in
            state.sessions[ObjectIdentifier(session)] = session
            return state.isInterrupted
        }
        // Keep the session in the list until its reader is closed, so that an interruption can still end it.
        defer { state.withLock { _ = $0.sessions.removeValue(forKey: ObjectIdentifier(session)) } }
        if isLate { session.interrupt() }
        return try await session.finish(work)
    }

    /// Ends the work, even if sessions are in the middle of an operation.
    ///
    /// This returns immediately.
    package func interrupt() {
        let (work, sessions) = state.withLock { state in
            state.isInterrupted = true
            return (state.work, Array(state.sessions.values))
        }
        for session in sessions { session.interrupt() }
        work?.cancel()
    }
}
