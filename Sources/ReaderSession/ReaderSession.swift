// A reader session as programs use it: begin → detect → connect → queryNDEFStatus → read or write → invalidate

import Dispatch
public import ReaderInterface
import Synchronization

/// A session with a reader, from ``begin()`` to ``invalidate()``.
///
/// ```swift
/// let session = ReaderSession(reader: "usb:1-2")
/// session.begin()
/// for tag in try await session.detect(within: .seconds(30)) {
///     let tag = try await session.connect(to: tag)
///     print(try await tag.queryNDEFStatus(), try await tag.read())
/// }
/// await session.invalidate()
/// ```
///
/// Methods may be called from any thread. Only one task at a time may read the events. Operations on tags run on the
/// reader's queue, one after the other.
public final class ReaderSession: Sendable {
    /// An event of a session.
    public enum Event: Sendable {
        /// The reader is open.
        case opened
        /// A poll found tags.
        ///
        /// Polling has stopped until ``ReaderSession/restartPolling(settled:)``.
        case tags([DetectedTag])
        /// Another interval of a wait has passed.
        case tick(of: Wait)
        /// The time of a wait is over.
        case timeout(of: Wait)
        /// The last event: the session has ended and the reader is closed.
        case ended(SessionEnd)
    }

    /// One wait for events.
    ///
    /// The value identifies the timers of its wait. A timer of an earlier wait may still fire just before it is
    /// stopped.
    public struct Wait: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Timers {
        var running: [Task<Void, any Error>] = []
        var waits = 0
    }

    private let core = SessionCore()
    private let setup: SessionCore.Setup
    private let timers = Mutex(Timers())
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    /// A stream that ends when the reader is closed.
    ///
    /// It is separate, because cancelling a task ends ``events``.
    private let closing: AsyncStream<Never>
    private let closed: AsyncStream<Never>.Continuation

    /// Creates a session, which begins with ``begin()``.
    ///
    /// - Parameters:
    ///   - reader: `auto`, `usb:PORT`, a label, a libnfc connection string, or `virtual…`. If it is nil, the
    ///     environment variable `NFCTOOL_READER` names the reader. If the variable is not set, `auto` is used.
    ///   - technologies: the technologies to poll for. If the reader supports none of them, the session ends with
    ///     ``SessionError/noRadio(_:reader:)``.
    ///   - timeLimit: the time after which the session ends automatically, or nil for no limit.
    public init(
        reader: String? = nil, technologies: [Technology] = Technology.allCases, timeLimit: Duration? = nil
    ) {
        setup = SessionCore.Setup(
            reader: ReaderSpecification(reader), polling: Polling(technologies), timeLimit: timeLimit)
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        (closing, closed) = AsyncStream.makeStream(of: Never.self)
    }

    deinit {
        stopTimers()
        core.end(.invalidated)
    }

    /// Reserves and opens the reader, starts looking for tags, and returns immediately.
    ///
    /// If the reader cannot be used, the session ends, and ``detect(within:isWanted:onWait:onOther:)`` throws the
    /// reason.
    public func begin() {
        core.begin(setup) { [continuation, closed] event in
            switch event {
            case .opened: continuation.yield(.opened)
            case .detected(let tags): continuation.yield(.tags(tags))
            case .connected: break
            case .ended(let end):
                continuation.yield(.ended(end))
                continuation.finish()
                closed.finish()
            }
        }
    }

    /// Ends the session.
    ///
    /// Operations in progress fail. The call returns immediately, and may be made from any thread.
    public func end() {
        guard core.end(.invalidated) == .created else { return }
        continuation.yield(.ended(.invalidated))
        continuation.finish()
        closed.finish()
    }

    /// Ends the session, and returns when the reader is closed.
    public func invalidate() async {
        stopTimers()
        end()
        // Use a separate task, because a cancelled task would not wait.
        await Task { [closing] in for await _ in closing {} }.value
    }

    /// The name of the open reader, such as `usb:1-2` or `virtual:tag.nfc`, or nil before the reader is open.
    ///
    /// The name stays valid after the reader is unplugged and plugged in again.
    public var reader: String? { core.reader?.name }

    /// Whether the reader and its tags are simulated in this program, as with `virtual:`.
    public var isVirtual: Bool { setup.reader.isVirtual }

    /// The chip that the open reader reported.
    ///
    /// Nil before the reader is open, or if the chip is not known.
    public var chip: String? { core.reader?.chip }

    /// Whether the field may contain more tags than the last successful poll could distinguish.
    ///
    /// The value does not change until polling is restarted.
    public var hasMoreTags: Bool { core.hasMoreTags }

    /// The number of polls so far that succeeded and found no tag.
    ///
    /// A program that was suspended did not look for tags, so time alone does not show that a tag has left.
    public var emptyPolls: Int { core.emptyPolls }

    /// The reason why a virtual tag's file could not be saved.
    ///
    /// Nil if it was saved, and for readers that are not virtual.
    public var saveError: (any Error)? { setup.reader.saveError }

    /// An executor for tasks that perform several operations on a tag.
    ///
    /// It avoids thread switches between the operations. Other slow work, such as disk access, would block the reader
    /// on this executor. Nil before the session begins.
    public var executor: (any TaskExecutor)? { core.reader.map { ReaderExecutor($0.queue) } }

    /// Looks for tags again.
    ///
    /// Tags found earlier can no longer be used.
    ///
    /// - Parameter settled: the identifiers of tags that are already known. A poll that finds any other tag does not
    ///   look with further technologies. If nil, polls look with all technologies.
    public func restartPolling(settled: Set<[UInt8]>? = nil) {
        core.restartPolling { Polling($0.technologies, settled: settled) }
    }

    /// Connects to a tag, and drops the connection to any other tag.
    ///
    /// If the tag is already connected, checks that it is still present. The tag is opened only when an operation
    /// requires it.
    ///
    /// - Parameters:
    ///   - tag: a tag that this session has found.
    ///   - unlocking: the means to open the tag if it requires a password.
    /// - Returns: the tag, whose operations work until another tag is connected.
    /// - Throws: `ReaderError.tagLost` if the tag is gone, or was found before polling was restarted;
    ///   ``SessionError/ended``; ``SessionError/foreignTag``.
    public func connect(to tag: DetectedTag, opening unlocking: Unlocking = .none) async throws -> ConnectedTag {
        try await core.connect(to: tag)
        return ConnectedTag(tag, opening: unlocking)
    }

    /// Shows a signal on the open reader, in order with its other work.
    ///
    /// - Parameters:
    ///   - signal: the signal to show.
    ///   - completion: called on the reader's queue with true if the signal was shown, or false if the reader has
    ///     neither lamp nor buzzer, does not respond, or is not open.
    public func signal(_ signal: Signal, completion: @escaping @Sendable (Bool) -> Void) {
        guard let reader = core.reader else { return completion(false) }
        reader.queue.async { completion(reader.signal(signal)) }
    }

    // MARK: Waiting

    /// Returns all events, with an ``Event/tick(of:)`` after every interval and one ``Event/timeout(of:)`` at the end
    /// of the wait.
    ///
    /// If `timeout` is nil, the wait has no end.
    public func events(ticking interval: Duration, until timeout: Duration?) -> AsyncStream<Event> {
        let wait = beginWait()
        startTimer(after: interval, .tick(of: wait), repeating: true)
        startTimer(after: timeout, .timeout(of: wait))
        return events
    }

    /// The time after which a program should tell its user what it is waiting for.
    private static let patience = Duration.milliseconds(400)

    /// Waits for the next tags.
    ///
    /// - Parameters:
    ///   - timeout: the maximum wait, or nil for no limit.
    ///   - isWanted: selects the tags to wait for, or nil to accept all tags. While only other tags are present,
    ///     polling is repeated.
    ///   - onWait: called with the reader's name, or nil before it is open, if the wait takes longer than 0.4 s, and
    ///     again if the reader opens after that.
    ///   - onOther: called once for each identifier that is not wanted.
    /// - Returns: at least one tag.
    /// - Throws: ``NoTagCame`` after `timeout`; the reason why the session ended; ``SessionError/ended`` in a cancelled
    ///   task.
    public func detect(
        within timeout: Duration?, isWanted: ((DetectedTag) -> Bool)? = nil,
        onWait: (_ reader: String?) -> Void = { _ in }, onOther: (DetectedTag) -> Void = { _ in }
    ) async throws -> [DetectedTag] {
        let wait = beginWait()
        startTimer(after: timeout, .timeout(of: wait))
        startTimer(after: Self.patience, .tick(of: wait), repeating: isWanted != nil)
        defer { stopTimers() }
        var others: Set<[UInt8]> = []
        var isWaiting = false
        var hasPollingStopped = false
        for await event in events {
            switch event {
            case .tags(let tags):
                let wanted = tags.filter { isWanted?($0) ?? true }
                if !wanted.isEmpty { return wanted }
                hasPollingStopped = true
                for tag in tags where others.insert(tag.target.identifier).inserted { onOther(tag) }
            case .opened:
                // A tag can be detected only after the reader was opened, so report the wait again.
                if isWaiting { onWait(reader) }
            case .timeout(let of) where of != wait, .tick(let of) where of != wait: continue
            case .timeout: throw NoTagCame(after: timeout, others: others.sorted { $0.lexicographicallyPrecedes($1) })
            case .tick:
                if !isWaiting { onWait(reader) }
                isWaiting = true
                // A poll that is under way could find the tag that is waited for. A restart would make it unusable.
                if hasPollingStopped { restartPolling() }
                hasPollingStopped = false
            case .ended(let end): throw end.cause
            }
        }
        throw SessionError.ended
    }

    private func beginWait() -> Wait {
        timers.withLock { timers in
            timers.waits += 1
            return Wait(number: timers.waits)
        }
    }

    private func startTimer(after interval: Duration?, _ event: Event, repeating: Bool = false) {
        guard let interval else { return }
        let timer = Task { [continuation] in
            repeat {
                try await Task.sleep(for: interval)
                continuation.yield(event)
            } while repeating
        }
        timers.withLock { $0.running.append(timer) }
    }

    private func stopTimers() {
        timers.withLock { timers in
            for timer in timers.running { timer.cancel() }
            timers.running = []
        }
    }
}
