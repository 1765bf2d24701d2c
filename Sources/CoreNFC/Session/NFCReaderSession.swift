// What all reader sessions share: beginning, ending once, the reader's queue and the delegate's — CoreNFC NFCReaderSession

public import Foundation
import NFCReader
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
    let state = Mutex(State())

    struct State {
        var phase = Phase.created
        var isReady = false
        var alertMessage = ""
        var alertHandler: (@Sendable (String) -> Void)?
        var readerSpecification: String?
        var timeLimit: TimeInterval? = 60
        var timer: (any DispatchSourceTimer)?
        var tagReader: SessionReader?
        var key = SessionKey()
        var settledTags: Set<[UInt8]>?
        var hasMoreTargets = false
    }

    enum Phase {
        case created, running, ended
    }

    /// Sessions between `begin()` and their last callback.
    private static let running = Mutex<[ObjectIdentifier: NFCReaderSession]>([:])

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
            return (try? libnfcConnections())?.isEmpty == false
        }
        return !connection.isEmpty
    }

    /// Whether the reader is open and its field on.
    open var isReady: Bool { state.withLock { $0.isReady } }

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
        // A session that no reader can serve takes none from the others.
        let refusal = self.refusal
        var taken: ReaderError?
        let (before, tagReader) = state.withLock { state in
            let before = state.phase
            if before == .created {
                state.phase = .running
                if refusal == nil {
                    let reader = SessionReader(ReaderSpecification(state.readerSpecification))
                    do throws(ReaderError) {
                        try reader.take()
                        state.tagReader = reader
                    } catch {
                        taken = error
                    }
                }
                // Under the lock, so that an end on another thread comes after it.
                Self.running.withLock { $0[ObjectIdentifier(self)] = self }
            }
            return (before, state.tagReader)
        }
        if before == .created, let error = refusal ?? taken.map(NFCReaderError.init(startingFailedWith:)) {
            return end(with: error)
        }
        switch before {
        case .running: return
        case .ended:
            // By way of the reader's queue, as the end itself goes, and so behind its callback.
            (tagReader?.queue ?? callbacks).async {
                self.callbacks.async { self.didInvalidate(NFCReaderError(.readerTransceiveErrorSessionInvalidated)) }
            }
        case .created:
            startTimeLimit()
            tagReader?.queue.async { self.open() }
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
    /// Why the session cannot begin, whatever the reader; nil when it can.
    var refusal: NFCReaderError? { nil }
    /// Takes note of which tag is connected, if one is.
    ///
    /// On the reader's queue.
    func connectionChanged(to tag: SessionTag?) {}
    /// Takes the targets of one poll that found some.
    ///
    /// On the reader's queue; polling has stopped.
    func didFind(_ targets: [Target], by tagReader: SessionReader) {}
}

extension NFCReaderSession {
    var isRunning: Bool { state.withLock { $0.phase == .running } }

    /// The reader's side of a session that has begun.
    var tagReader: SessionReader? { state.withLock { $0.tagReader } }

    /// Ends the session once, whoever comes first: aborts what the reader is doing, lets queued operations fail, closes the
    /// reader, and then calls the delegate for the last time.
    func end(with error: NFCReaderError) {
        let ended = state.withLock { state -> (tagReader: SessionReader?, timer: (any DispatchSourceTimer)?)? in
            guard state.phase != .ended else { return nil }
            state.phase = .ended
            state.isReady = false
            return (state.tagReader, state.timer)
        }
        guard let ended else { return }
        ended.timer?.cancel()
        guard let tagReader = ended.tagReader else { return tellEnd(error) }
        tagReader.abort()
        tagReader.queue.async {
            tagReader.close()
            self.tellEnd(error)
        }
        tagReader.release()
    }

    private func tellEnd(_ error: NFCReaderError) {
        callbacks.async {
            self.didInvalidate(error)
            _ = Self.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        }
    }

    /// Connects to a tag of this session, dropping another one; for the connected tag it is a check that it is still there.
    func connect(to tag: SessionTag?, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        guard let tag, tag.readerSession === self else {
            return callbacks.async { completionHandler(NFCReaderError(.readerErrorInvalidParameter)) }
        }
        perform {
            try $0.connect(to: tag)
        } completion: { result in
            tag.note(result.failure)
            completionHandler(result.failure)
        }
    }

    /// Runs an operation on the reader's queue, in turn, and its completion on the session's.
    ///
    /// The completion gets code 103 when the session is not running by then. A reader that fails ends the session.
    func perform<Value: Sendable>(
        _ operation: @escaping @Sendable (SessionReader) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        guard let tagReader else {
            let error = NFCReaderError(.readerTransceiveErrorSessionInvalidated)
            return callbacks.async { completion(.failure(error)) }
        }
        tagReader.queue.async {
            let result = Result {
                guard self.isRunning else { throw NFCReaderError(.readerTransceiveErrorSessionInvalidated) }
                defer { self.connectionChanged(to: tagReader.connected) }
                return try operation(tagReader)
            }
            self.callbacks.async { completion(result.mapError { NFCReaderError(operationFailedWith: $0) }) }
            if case .failure(let error) = result, let failure = ReaderError(failureIn: error) {
                self.readerFailed(with: failure)
            }
        }
    }

    private func open() {
        guard isRunning, let tagReader else { return }
        do {
            try tagReader.open()
        } catch {
            return end(with: NFCReaderError(startingFailedWith: error))
        }
        let isRunning = state.withLock { state in
            state.isReady = state.phase == .running
            return state.isReady
        }
        // Ended while the reader opened: the end has queued the closing behind this.
        guard isRunning else { return }
        callbacks.async { if self.isRunning { self.didBecomeActive() } }
        tagReader.startPolling(for: self)
    }

    private func startTimeLimit() {
        state.withLock { state in
            guard let limit = state.timeLimit, state.phase == .running else { return }
            let timer = DispatchSource.makeTimerSource(queue: .global())
            timer.setEventHandler { [weak self] in
                self?.end(with: NFCReaderError(.readerSessionInvalidationErrorSessionTimeout))
            }
            timer.schedule(deadline: .now() + limit)
            timer.activate()
            state.timer = timer
        }
    }
}
