// The ways in which apps hold a session and its delegate
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreNFC

// A shared object with an action and a Result, its conformance in an extension.
typealias NFCReadingCompletion = (Result<NFCNDEFMessage?, Error>) -> Void

enum NFCError: LocalizedError {
    case unavailable
    case invalidated(message: String)
    case invalidPayloadSize

    var errorDescription: String? {
        switch self {
        case .unavailable: return "NFC Reader Not Available"
        case let .invalidated(message): return message
        case .invalidPayloadSize: return "NDEF payload size exceeds the tag limit"
        }
    }
}

class SharedReader: NSObject {
    enum Action {
        case readMessage
        case erase
        case lock

        var alertMessage: String {
            switch self {
            case .readMessage: return "Place tag near iPhone to read."
            case .erase: return "Place tag near iPhone to erase."
            case .lock: return "Place tag near iPhone to lock."
            }
        }
    }

    private static let shared = SharedReader()
    private var action: Action = .readMessage
    private var session: NFCNDEFReaderSession?
    private var completion: NFCReadingCompletion?
    private var result: Result<NFCNDEFMessage?, Error>?

    static func performAction(_ action: Action, completion: NFCReadingCompletion? = nil) {
        guard NFCNDEFReaderSession.readingAvailable else {
            completion?(.failure(NFCError.unavailable))
            return
        }
        shared.action = action
        shared.completion = completion
        shared.result = nil
        shared.session = NFCNDEFReaderSession(
            delegate: shared.self, queue: nil, invalidateAfterFirstRead: false)
        shared.session?.alertMessage = action.alertMessage
        shared.session?.begin()
    }

    private func handleError(_ error: Error) {
        session?.alertMessage = error.localizedDescription
        result = .failure(error)
        session?.invalidate()
    }

    private func succeed(_ message: NFCNDEFMessage?) {
        result = .success(message)
        session?.invalidate()
    }
}

extension SharedReader: NFCNDEFReaderSessionDelegate {
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        // Not used
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        if let result = result {
            completion?(result)
        } else if let error = error as? NFCReaderError,
            error.code != .readerSessionInvalidationErrorFirstNDEFTagRead
                && error.code != .readerSessionInvalidationErrorUserCanceled
        {
            completion?(.failure(NFCError.invalidated(message: error.localizedDescription)))
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        guard let tag = tags.first, tags.count == 1 else {
            session.alertMessage = "There are too many tags present. Remove all and then try again."
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { session.restartPolling() }
            return
        }
        session.connect(to: tag) { error in
            if let error = error {
                self.handleError(error)
                return
            }
            tag.queryNDEFStatus { status, _, error in
                if let error = error {
                    self.handleError(error)
                    return
                }
                switch (status, self.action) {
                case (.notSupported, _):
                    session.alertMessage = "Unsupported tag."
                    session.invalidate()
                case (.readOnly, .readMessage), (.readWrite, .readMessage):
                    tag.readNDEF { message, error in
                        if let error = error { self.handleError(error) } else { self.succeed(message) }
                    }
                case (.readWrite, .erase):
                    tag.writeNDEF(.init(records: [])) { error in
                        if let error = error { self.handleError(error) } else { self.succeed(nil) }
                    }
                case (.readWrite, .lock):
                    tag.writeLock { error in
                        if let error = error { self.handleError(error) } else { self.succeed(nil) }
                    }
                case (.readOnly, _):
                    self.handleError(NFCError.invalidated(message: "Read-only"))
                @unknown default:
                    return
                }
            }
        }
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
}

// A reader with a continuation.
final class AsyncReader: NSObject, NFCNDEFReaderSessionDelegate {
    private var session: NFCNDEFReaderSession?
    private var continuation: CheckedContinuation<[NFCNDEFMessage], Error>?

    func messages() async throws -> [NFCNDEFMessage] {
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            let session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: true)
            self.session = session
            session.begin()
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        continuation?.resume(returning: messages)
        continuation = nil
    }
}

// A delegate that hops to a Task and uses the async forms.
@available(iOS 15.0, *)
final class TaskReader: NSObject, NFCNDEFReaderSessionDelegate {
    var session: NFCNDEFReaderSession?
    var onText: (String) -> Void = { _ in }
    var textToWrite: String?
    var locks = false

    func scan() {
        session = NFCNDEFReaderSession(delegate: self, queue: DispatchQueue.main, invalidateAfterFirstRead: false)
        session?.begin()
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        guard let tag = tags.first else { return }
        Task {
            do {
                try await session.connect(to: tag)
                let (status, capacity) = try await tag.queryNDEFStatus()
                guard case .readWrite = status, capacity > 0 else {
                    session.invalidate(errorMessage: status.title)
                    return
                }
                if let text = textToWrite,
                    let payload = NFCNDEFPayload.wellKnownTypeTextPayload(
                        string: text, locale: Locale(identifier: "de"))
                {
                    try await tag.writeNDEF(NFCNDEFMessage(records: [payload]))
                }
                let message = try await tag.readNDEF()
                onText(message.records.first?.wellKnownTypeTextPayload().0 ?? "")
                if locks { try await tag.writeLock() }
                session.invalidate()
            } catch NFCReaderError.ndefReaderSessionErrorZeroLengthMessage {
                session.invalidate(errorMessage: "Empty")
            } catch {
                session.invalidate(errorMessage: error.localizedDescription)
            }
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        onText("ended: \((error as? NFCReaderError)?.code.rawValue ?? 0)")
    }
}

// A main actor object, as a view controller is.
@MainActor
class ViewController: NSObject, NFCNDEFReaderSessionDelegate {
    var isScanning = false
    var messages: [NFCNDEFMessage] = []
    var onEnd: () -> Void = {}
    lazy var session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: true)

    func scan() {
        isScanning = true
        session.begin()
    }

    nonisolated func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        DispatchQueue.main.async {
            self.isScanning = false
            self.onEnd()
        }
    }

    nonisolated func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        Task { @MainActor in self.messages += messages }
    }
}

// A view whose struct keeps the coordinator's session, as in SwiftUI.
struct ScanButton {
    final class Coordinator: NSObject, NFCNDEFReaderSessionDelegate {
        var data: (String) -> Void

        init(data: @escaping (String) -> Void) { self.data = data }

        func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
            data("The session was invalidated: \(error.localizedDescription)")
        }

        func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
            guard let nfcMess = messages.first, let record = nfcMess.records.first,
                record.typeNameFormat == .absoluteURI || record.typeNameFormat == .nfcWellKnown,
                let payload = String(data: record.payload, encoding: .utf8)
            else { return }
            data(payload)
        }
    }

    var session: NFCNDEFReaderSession?
    let coordinator: Coordinator

    mutating func tap() {
        guard NFCNDEFReaderSession.readingAvailable else { return print("error: Scanning not support") }
        session = NFCNDEFReaderSession(delegate: coordinator, queue: .main, invalidateAfterFirstRead: true)
        session?.alertMessage = "Hold your iPhone near the item."
        session?.begin()
    }
}

// A public wrapper that hides CoreNFC behind closures, and a subclass of it.
open class Wrapper: NSObject, NFCNDEFReaderSessionDelegate {
    public typealias DidBecomeActive = (Wrapper) -> Void
    public typealias DidDetect = (Wrapper, Result<NFCNDEFMessage?, NFCReaderError>) -> Void

    private let didBecomeActive: DidBecomeActive?
    private let didDetect: DidDetect
    private(set) lazy var session: NFCReaderSessionProtocol? = NFCNDEFReaderSession(
        delegate: self, queue: DispatchQueue(label: "wrapper", attributes: .concurrent), invalidateAfterFirstRead: true)

    public init(didBecomeActive: DidBecomeActive? = nil, didDetect: @escaping DidDetect) {
        self.didBecomeActive = didBecomeActive
        self.didDetect = didDetect
    }

    public func begin() { session?.begin() }

    public func setMessage(_ alertMessage: String) { session?.alertMessage = alertMessage }

    open func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) { didBecomeActive?(self) }

    open func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        if let error = error as? NFCReaderError { didDetect(self, .failure(error)) }
    }

    open func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        didDetect(self, .success(messages.first))
    }
}

final class LoudWrapper: Wrapper {
    override func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        session.alertMessage = "Found \(messages.count)"
        super.readerSession(session, didDetectNDEFs: messages)
    }
}

// A typical view controller: its base class isolates it to the main actor, but its delegate methods do not say so.
@MainActor
class BaseController: NSObject {
    var title: String?
}

class TableController: BaseController {
    var rows: [String] = []
    var onRow: (String) -> Void = { _ in }
    var session: NFCNDEFReaderSession?

    func scan() {
        session = NFCNDEFReaderSession(delegate: self, queue: DispatchQueue.main, invalidateAfterFirstRead: true)
        session?.begin()
    }
}

extension TableController: NFCNDEFReaderSessionDelegate {
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        title = error.localizedDescription
        onRow(error.localizedDescription)
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        rows += messages.map { "\($0.records.count)" }
    }
}
