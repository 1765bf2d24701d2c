// Work in sessions that can be ended from outside at any moment

import Synchronization

/// Work in one or more sessions, which can be ended from outside, also before it begins.
///
/// Any thread.
package final class InterruptibleWork: Sendable {
    private struct State {
        var isInterrupted = false
        var sessions: [ObjectIdentifier: TagSession] = [:]
        var work: Task<Void, any Error>?
    }

    private let state = Mutex(State())

    /// Prepares work; nothing happens before ``run(_:)``.
    package init() {}

    /// Does the work, and returns how it ended: with ``Interrupted`` when that was from outside.
    package func run(_ work: @escaping @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        let task = Task { try await work() }
        let isLate = state.withLock { state in
            state.work = task
            return state.isInterrupted
        }
        if isLate { task.cancel() }
        return await task.result.mapError { $0 is CancellationError ? Interrupted(cause: nil) : $0 }
    }

    /// Does a part of the work in a session of its own, and returns when its reader is closed.
    ///
    /// - Throws: as ``TagSession/finish(_:succeeded:)``.
    package func run<Value: Sendable>(
        in setup: TagSession.Setup, _ work: @Sendable (TagSession) async throws -> Value
    ) async throws -> Value {
        let session = TagSession(setup)
        session.begin()
        let isLate = state.withLock { state in
            state.sessions[ObjectIdentifier(session)] = session
            return state.isInterrupted
        }
        // Until the reader is closed, an interruption lets that happen.
        defer { state.withLock { _ = $0.sessions.removeValue(forKey: ObjectIdentifier(session)) } }
        if isLate { session.interrupt() }
        return try await session.finish(work)
    }

    /// Ends the work, each session in the middle of what it does; returns at once.
    package func interrupt() {
        let (work, sessions) = state.withLock { state in
            state.isInterrupted = true
            return (state.work, Array(state.sessions.values))
        }
        for session in sessions { session.interrupt() }
        work?.cancel()
    }
}
