// What all reader sessions share: beginning, ending once, the reader's queue and the delegate's — CoreNFC NFCReaderSession

public import Foundation
import ReaderInterface
import ReaderSession
import Synchronization

/// The abstract base of the reader sessions.
///
/// Every callback and every completion handler runs on ``sessionQueue``, one at a time, in order, and never inside the call
/// that caused it. Methods may be called from any thread. A session keeps itself alive from ``begin()`` until its last
/// callback, so it may live in a local variable; it holds its delegate weakly.
open class NFCReaderSession: NSObject, NFCReaderSessionProtocol, @unchecked Sendable {  // mutable state is in `state`
    /// The delegate.
    public private(set) weak var delegate: AnyObject?
    /// The queue of the callbacks and handlers: the one given to the initialiser, or a private serial one.
    public let sessionQueue: DispatchQueue

    /// Puts the callbacks in order also when the client's queue is concurrent.
    let callbacks: DispatchQueue
    /// The life cycle; from ``begin()`` to the last callback it keeps this object alive.
    let core = SessionCore()
    let state = Mutex(State())

    struct State {
        var alertMessage = ""
        var alertHandler: (@Sendable (String) -> Void)?
        var readerSpecification: String?
        var timeLimit: TimeInterval? = 60
    }

    // Usable from inline, so that it is not hidden: a subclass in a client's module inherits no convenience initialisers from a
    // class that has hidden ones, and a mock session is made like the session it stands for.
    @usableFromInline
    init(delegate: AnyObject, queue: DispatchQueue?) {
        self.delegate = delegate
        sessionQueue = queue ?? DispatchQueue(label: "CoreNFC.session")
        callbacks = DispatchQueue(label: "CoreNFC.callbacks", target: sessionQueue)
    }

    /// Whether there is a reader a session could use: the one ``readerSpecification`` names by default, or any.
    ///
    /// Looks at the USB bus, so it may take some milliseconds. Whether the reader is free shows when a session begins.
    open class var readingAvailable: Bool {
        guard let connection = try? ReaderSpecification.standard.connection() else {
            return (try? BackEnds.connections())?.isEmpty == false
        }
        return !connection.isEmpty
    }

    /// Whether the reader is open and its field on.
    open var isReady: Bool { core.isOpen }

    /// The text for the user.
    ///
    /// There is no system sheet on Linux: each new text goes to ``alertHandler``.
    open var alertMessage: String {
        get { state.withLock { $0.alertMessage } }
        set {
            let handler = state.withLock { state in
                state.alertMessage = newValue
                return state.alertHandler
            }
            handler?(newValue)
        }
    }

    /// Opens the reader and begins to look for tags; returns at once.
    ///
    /// What comes next is either the delegate's `…DidBecomeActive` or, with the reason, its `didInvalidateWithError`. A
    /// session that has ended cannot begin again: it reports code 103.
    open func begin() {
        let (reader, limit) = state.withLock { ($0.readerSpecification, $0.timeLimit) }
        let setup = SessionCore.Setup(
            reader: ReaderSpecification(reader), polling: Polling(technologies),
            timeLimit: limit.flatMap(Duration.init(limit:)))
        // A session that no reader can serve takes none from the others.
        let before = core.begin(setup, unless: refusal) { self.take($0) }
        // After the callback of the end.
        if before == .ended {
            core.afterOperations {
                self.callbacks.async { self.didInvalidate(NFCReaderError(.readerTransceiveErrorSessionInvalidated)) }
            }
        }
    }

    /// Ends the session; the delegate gets code 200.
    ///
    /// Does nothing when it has ended.
    open func invalidate() {
        end(with: NFCReaderError(.readerSessionInvalidationErrorUserCanceled))
    }

    /// Ends the session with a message, which goes to ``alertHandler``; the delegate gets code 200.
    open func invalidate(errorMessage: String) {
        alertMessage = errorMessage
        invalidate()
    }

    // What a kind of session adds.

    /// The technologies to poll for, in order.
    var technologies: [Technology] { Technology.allCases }
    /// Tells the delegate that the reader is ready.
    ///
    /// On the session's queue.
    func didBecomeActive() {}
    /// Tells the delegate, for the last time, why the session ended.
    ///
    /// On the session's queue.
    func didInvalidate(_ error: NFCReaderError) {}
    /// Whether operations connect their tags, dropping others: a session of iOS 11 knows no connections.
    var connectsTagsItself: Bool { false }
    /// Why the session cannot begin, whatever the reader; nil when it can.
    var refusal: NFCReaderError? { nil }
    /// Takes note of which tag is connected, if one is.
    ///
    /// On the reader's queue.
    func connectionChanged(to tag: SessionTag?) {}
    /// Takes the tags of one poll that found some.
    ///
    /// On the reader's queue; polling has stopped.
    func didFind(_ tags: [DetectedTag]) {}
}

extension NFCReaderSession {
    var isRunning: Bool { core.isRunning }

    /// On the reader's queue, or in ``begin()``.
    private func take(_ event: SessionCore.Event) {
        switch event {
        case .opened: callbacks.async { if self.isRunning { self.didBecomeActive() } }
        case .detected(let tags): didFind(tags)
        case .connected(let tag): connectionChanged(to: tag?.observer as? SessionTag)
        case .ended(let end): tellEnd(NFCReaderError(end))
        }
    }

    /// Ends the session; only the first call has an effect.
    func end(with error: NFCReaderError) {
        // One that has not begun has no handler.
        if core.end(.client(error)) == .created { tellEnd(error) }
    }

    private func tellEnd(_ error: NFCReaderError) { callbacks.async { self.didInvalidate(error) } }

    /// Hands tags of one poll to the delegate, unless the client has restarted polling or ended the session meanwhile.
    func deliver(of round: Int, _ delivery: @escaping @Sendable () -> Void) {
        callbacks.async { if self.isRunning, round == self.core.round { delivery() } }
    }

    /// Connects to a tag of this session, dropping another one; for the connected tag it is a check that it is still there.
    func connect(to tag: SessionTag?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        guard let tag, tag.readerSession === self else {
            return callbacks.async { completionHandler(NFCReaderError(.readerErrorInvalidParameter)) }
        }
        perform {
            try self.core.activate(tag.detected)
        } completion: { result in
            tag.note(result.failure)
            completionHandler(result.failure)
        }
    }

    /// Runs an operation on the reader's queue, in turn, and its completion on the session's.
    ///
    /// The completion gets code 103 when the session is not running by then. A reader that fails ends the session.
    func perform<Value: Sendable>(
        _ operation: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        core.perform(operation) { result in
            self.callbacks.async { completion(result.mapError { NFCReaderError(operationFailedWith: $0) }) }
        }
    }
}

extension Duration {
    /// A time limit in seconds; nil for one that never comes.
    fileprivate init?(limit seconds: TimeInterval) {
        // A hundred years: `Duration` traps on what it cannot hold.
        guard seconds.isFinite, seconds < 3e9 else { return nil }
        self = .seconds(max(0, seconds))
    }
}
