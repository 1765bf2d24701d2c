// The common part of all reader sessions: beginning, ending, and the queues of the reader and the delegate — CoreNFC
// NFCReaderSession

public import Foundation
import ReaderInterface
import ReaderSession
import Synchronization

/// The abstract base class of the reader sessions.
///
/// All callbacks and completion handlers are put into ``sessionQueue`` in order, and never run inside the call that
/// caused them. On a serial queue, they run one at a time. On a concurrent queue, a handler may wait for the handler of
/// a later command. Methods may be called from any thread. A session keeps itself alive from ``begin()`` until its
/// last callback, so it may live in a local variable. It holds its delegate weakly.
open class NFCReaderSession: NSObject, NFCReaderSessionProtocol, @unchecked Sendable {  // mutable state is in `state`
    /// The delegate.
    public private(set) weak var delegate: AnyObject?
    /// The queue of the callbacks and handlers: the queue given to the initialiser, or a private serial queue.
    public let sessionQueue: DispatchQueue

    /// The life cycle, which keeps this object alive from ``begin()`` to the last callback.
    let core = SessionCore()
    let state = Mutex(State())

    struct State {
        var alertMessage = ""
        var alertHandler: (@Sendable (String) -> Void)? = { StandardAlert.show($0) }
        var readerSpecification: String?
        var timeLimit: TimeInterval? = 60
    }

    // Marked with `@usableFromInline` so that it is not hidden: subclasses in a client's module do not inherit the
    // convenience initialisers of a class whose initialisers are hidden. A mock session needs them, because it is
    // created like the session that it replaces.
    @usableFromInline
    init(delegate: AnyObject, queue: DispatchQueue?) {
        self.delegate = delegate
        sessionQueue = queue ?? DispatchQueue(label: "CoreNFC.session")
    }

    /// Whether a reader is available for a session: the one that `NFCTOOL_READER` names, or any if the variable is not
    /// set.
    ///
    /// The property reads the USB bus, which may take some milliseconds. It is also true for a reader that another
    /// program is using: a session then ends with code 203.
    open class var readingAvailable: Bool {
        do {
            if let connection = try ReaderSpecification.standard.connection() { return !connection.isEmpty }
            // libnfc may leave out readers that another program is using.
            return try ReaderSpecification.firstPluggedIn != nil || !BackEnds.connections().isEmpty
        } catch {
            return (error as? any ClassifiedError)?.kind == .readerBusy
        }
    }

    /// Whether the reader is open and its field is on.
    open var isReady: Bool { core.isOpen }

    /// The text for the user.
    ///
    /// Linux has no system sheet, so each new text goes to ``alertHandler``, which by default shows it on a terminal. A
    /// text that is set after the session has ended is not shown.
    open var alertMessage: String {
        get { state.withLock { $0.alertMessage } }
        set {
            let handler = state.withLock { state in
                state.alertMessage = newValue
                return state.alertHandler
            }
            if !core.hasEnded { handler?(newValue) }
        }
    }

    /// Opens the reader and starts looking for tags, and returns immediately.
    ///
    /// The next callback is either the delegate's `…DidBecomeActive` or its `didInvalidateWithError` with the reason. A
    /// session that has ended cannot begin again: it reports code 103.
    open func begin() {
        let (reader, limit) = state.withLock { ($0.readerSpecification, $0.timeLimit) }
        let setup = SessionCore.Setup(
            reader: ReaderSpecification(reader), polling: Polling(technologies),
            timeLimit: limit.flatMap(Duration.init(limit:)))
        // A session that no reader can serve does not reserve a reader, because other sessions could use it.
        let before = core.begin(setup, unless: refusal) { self.take($0) }
        // This error is reported after the callback that reports the end.
        if before == .ended {
            core.afterOperations {
                self.sessionQueue.async { self.didInvalidate(NFCReaderError(.readerTransceiveErrorSessionInvalidated)) }
            }
        }
    }

    /// Ends the session.
    ///
    /// The delegate receives code 200. Does nothing if the session has ended.
    open func invalidate() {
        end(with: NFCReaderError(.readerSessionInvalidationErrorUserCanceled))
    }

    /// Ends the session with a message for ``alertHandler``.
    ///
    /// The delegate receives code 200.
    open func invalidate(errorMessage: String) {
        alertMessage = errorMessage
        invalidate()
    }

    // The following members are overridden by the kinds of session.

    /// The technologies to poll for, in order.
    var technologies: [Technology] { Technology.allCases }
    /// Tells the delegate that the reader is ready, on the session's queue.
    func didBecomeActive() {}
    /// Tells the delegate why the session ended, on the session's queue.
    ///
    /// This is the last call to the delegate.
    func didInvalidate(_ error: NFCReaderError) {}
    /// Whether an operation connects its tag and drops other connections.
    ///
    /// A session of iOS 11 does this, because it has no connect method.
    var connectsTagsItself: Bool { false }
    /// The reason why the session cannot begin with any reader, or nil if it can begin.
    var refusal: NFCReaderError? { nil }
    /// Records the connected tag, or nil if none is connected.
    ///
    /// Called on the reader's queue.
    func connectionChanged(to tag: SessionTag?) {}
    /// Handles the tags that one poll found.
    ///
    /// Called on the reader's queue, after polling has stopped.
    func didFind(_ tags: [DetectedTag]) {}
}

extension NFCReaderSession {
    var isRunning: Bool { core.isRunning }

    /// Handles an event from ``core``.
    ///
    /// Called on the reader's queue, or in ``begin()``.
    private func take(_ event: SessionCore.Event) {
        switch event {
        case .opened: sessionQueue.async { if self.isRunning { self.didBecomeActive() } }
        case .detected(let tags): didFind(tags)
        case .connected(let tag): connectionChanged(to: tag?.observer as? SessionTag)
        case .ended(let end): tellEnd(NFCReaderError(end))
        }
    }

    /// Ends the session.
    ///
    /// Only the first call has an effect.
    func end(with error: NFCReaderError) {
        // A session that has not begun has no event handler yet.
        if core.end(.client(error)) == .created { tellEnd(error) }
    }

    private func tellEnd(_ error: NFCReaderError) { sessionQueue.async { self.didInvalidate(error) } }

    /// Passes the tags of one poll to the delegate, unless the client has since restarted polling or ended the session.
    func deliver(of round: Int, _ delivery: @escaping @Sendable () -> Void) {
        sessionQueue.async { if self.isRunning, round == self.core.round { delivery() } }
    }

    /// Connects to a tag of this session, and drops the connection to any other tag.
    ///
    /// If the tag is already connected, checks that it is present.
    func connect(to tag: SessionTag?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        guard let tag, tag.readerSession === self else {
            return sessionQueue.async { completionHandler(NFCReaderError(.readerErrorInvalidParameter)) }
        }
        perform(on: tag) {
            try self.core.activate(tag.detected)
        } completion: {
            completionHandler($0.failure)
        }
    }

    /// Runs an operation on the reader's queue, in order, and its completion handler on the session's queue.
    ///
    /// The handler receives code 103 if the session is no longer running. A reader that fails ends the session. The
    /// result also shows whether the tag is still present.
    func perform<Value: Sendable>(
        on tag: SessionTag, _ operation: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        core.perform(operation) { result in
            tag.detected.note(result.failure.map { ($0 as? NFCReaderError)?.cause ?? $0 })
            self.sessionQueue.async { completion(result.mapError { NFCReaderError(operationFailedWith: $0) }) }
        }
    }
}

extension Duration {
    /// Creates a time limit from seconds.
    ///
    /// Returns nil for a limit that is infinite, or too long ever to be reached.
    fileprivate init?(limit seconds: TimeInterval) {
        // A limit of more than about a hundred years counts as no limit, because `Duration` traps on values that it
        // cannot hold.
        guard seconds.isFinite, seconds < 3e9 else { return nil }
        self = .seconds(max(0, seconds))
    }
}
