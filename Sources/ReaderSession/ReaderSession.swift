// A session with a reader for programs: begin → detect → connect → queryNDEFStatus → read or write → invalidate

import Dispatch
public import ReaderInterface
import Synchronization

/// One use of a reader, from ``begin()`` to ``invalidate()``.
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
/// Methods may be called from any thread. Its events are for one task at a time. Operations on tags run on the reader's
/// queue, one after the other.
public final class ReaderSession: Sendable {
    /// What happens in a session.
    public enum Event: Sendable {
        /// The reader is open.
        case opened
        /// A poll found tags; polling has stopped until ``ReaderSession/restartPolling(settled:)``.
        case tags([DetectedTag])
        /// The interval of a wait is over once more.
        case tick(of: Wait)
        /// A wait is over.
        case timeout(of: Wait)
        /// The session is over and the reader closed: the last event.
        case ended(SessionEnd)
    }

    /// One wait for events: a timer of an earlier one may have gone off just before it was stopped.
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
    /// At its end when the reader is closed: a stream of its own, since a task that is cancelled takes ``events`` with it.
    private let closing: AsyncStream<Never>
    private let closed: AsyncStream<Never>.Continuation

    /// Describes a session; nothing happens before ``begin()``.
    ///
    /// - Parameters:
    ///   - reader: `auto`, `usb:PORT`, a label, a libnfc connection string, `virtual…`; nil for the environment's
    ///     `NFCTOOL_READER`, or `auto`.
    ///   - technologies: the technologies to poll for. If the reader supports none of them, the session ends with
    ///     ``SessionError/noRadio(_:reader:)``.
    ///   - timeLimit: the time until the session ends by itself; nil for no limit.
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

    /// Takes and opens the reader, and begins to look for tags; returns at once.
    ///
    /// A reader that cannot be used ends the session: ``detect(within:isWanted:onWait:onOther:)`` throws why.
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

    /// Ends the session; operations under way fail.
    ///
    /// Returns at once; from any thread.
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
        // A task of its own, since one that was cancelled would not wait for it.
        await Task { [closing] in for await _ in closing {} }.value
    }

    /// The reader in use by the name that people know, such as `usb:1-2`; a virtual one by its connection string; nil before it
    /// is open.
    public var reader: String? { core.reader?.name }

    /// Whether the reader and its tags are simulated in this program: `virtual:`.
    public var isVirtual: Bool { setup.reader.isVirtual }

    /// What names the reader in use also when it was unplugged and plugged in; nil before it is open.
    public var lastingReader: String? { core.reader?.lastingName }

    /// What the chip of the reader in use said it is; nil before it is open, and where it is not known.
    public var chip: String? { core.reader?.chip }

    /// Whether there may be more tags in the field than the last poll that found some could distinguish.
    ///
    /// Does not change before polling is restarted.
    public var hasMoreTags: Bool { core.hasMoreTags }

    /// The number of polls so far that were answered, and found no tag.
    ///
    /// A program that was stopped for a while did not look for tags: time alone does not show that a tag has left.
    public var emptyPolls: Int { core.emptyPolls }

    /// Why a virtual tag's file could not be saved; nil for other readers.
    public var saveError: (any Error)? { setup.reader.saveError }

    /// For tasks that go from one operation on a tag to the next: no other thread has to be woken between two of them.
    ///
    /// What takes its time elsewhere, as a disk does, holds up the reader there.
    public var executor: (any TaskExecutor)? { core.reader.map { ReaderExecutor($0.queue) } }

    /// Looks for tags again; those found before are dead from then on.
    ///
    /// - Parameter settled: the identifiers of tags that are already known: a poll that finds another one looks with no
    ///   further technology. Nil for polls that look with all technologies.
    public func restartPolling(settled: Set<[UInt8]>? = nil) {
        core.restartPolling { Polling($0.technologies, settled: settled) }
    }

    /// Connects to a tag, dropping another one; for the connected tag it is a check that it is still there.
    ///
    /// The tag is opened when an operation wants it open, not before.
    ///
    /// - Parameters:
    ///   - tag: one that this session has found.
    ///   - unlocking: what opens the tag when it asks for a password.
    /// - Returns: the tag, whose operations work until another tag is connected.
    /// - Throws: `ReaderError.tagLost` when it is gone, or was found before polling was restarted;
    ///   ``SessionError/ended``; ``SessionError/foreignTag``.
    public func connect(to tag: DetectedTag, opening unlocking: Unlocking = .none) async throws -> ConnectedTag {
        try await core.connect(to: tag)
        return ConnectedTag(tag, opening: unlocking)
    }

    /// Shows a signal on the reader in use, in turn with what else it does.
    ///
    /// - Parameters:
    ///   - signal: what to show.
    ///   - completion: told on the reader's queue whether it was shown: false when the reader has neither lamp nor buzzer,
    ///     does not obey, or is not open.
    public func signal(_ signal: Signal, completion: @escaping @Sendable (Bool) -> Void) {
        guard let reader = core.reader else { return completion(false) }
        reader.queue.async { completion(reader.signal(signal)) }
    }

    // MARK: Waiting

    /// All events, with a ``Event/tick(of:)`` in every interval, and one ``Event/timeout(of:)``.
    public func events(ticking interval: Duration, until timeout: Duration?) -> AsyncStream<Event> {
        let wait = beginWait()
        startTimer(after: interval, .tick(of: wait), repeating: true)
        startTimer(after: timeout, .timeout(of: wait))
        return events
    }

    /// A program whose user sees nothing happen for this long should say what it waits for.
    private static let patience = Duration.milliseconds(400)

    /// Waits for the next tags.
    ///
    /// - Parameters:
    ///   - timeout: the longest wait; nil for no limit.
    ///   - isWanted: selects the tags to wait for; nil accepts all. While others are there, they are looked for again and again.
    ///   - onWait: called once when the wait takes longer than 0.4 s, and once more when the reader opened after that; its name, nil
    ///     before it is open.
    ///   - onOther: called once for each identifier that is not wanted.
    /// - Returns: at least one tag.
    /// - Throws: ``NoTagCame`` after `timeout`; why the session ended; ``SessionError/ended`` in a task that was cancelled.
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
        for await event in events {
            switch event {
            case .tags(let tags):
                let wanted = tags.filter { isWanted?($0) ?? true }
                if !wanted.isEmpty { return wanted }
                for tag in tags where others.insert(tag.target.identifier).inserted { onOther(tag) }
            case .opened:
                // It took its time; only now is a tag of use.
                if isWaiting { onWait(reader) }
            case .timeout(let of) where of != wait, .tick(let of) where of != wait: continue
            case .timeout: throw NoTagCame(after: timeout, others: others.sorted { $0.lexicographicallyPrecedes($1) })
            case .tick:
                if !isWaiting { onWait(reader) }
                isWaiting = true
                if !others.isEmpty { restartPolling() }
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
