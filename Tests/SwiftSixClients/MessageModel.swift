// View models of apps in Swift 6: isolated to the main actor, with two ways to conform to the delegate protocol
// Written as for iOS: the code does not mention Linux.

import CoreNFC

// Each delegate method is nonisolated, and returns to the main actor in a Task.
@MainActor
final class MessageModel: NSObject, NFCNDEFReaderSessionDelegate {
    private(set) var texts: [String] = []
    private(set) var isScanning = false
    var onEnd: ((String) -> Void)?
    private var session: NFCNDEFReaderSession?

    func scan() {
        guard NFCNDEFReaderSession.readingAvailable else { return }
        isScanning = true
        session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: true)
        session?.alertMessage = "Hold your iPhone near a tag."
        session?.begin()
    }

    nonisolated func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        let texts = messages.flatMap { $0.records.compactMap { $0.wellKnownTypeTextPayload().0 } }
        Task { @MainActor in self.texts += texts }
    }

    nonisolated func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        let code = (error as? NFCReaderError)?.code
        Task { @MainActor in
            self.isScanning = false
            self.session = nil
            self.onEnd?(code == .readerSessionInvalidationErrorFirstNDEFTagRead ? "read" : "\(code?.rawValue ?? 0)")
        }
    }
}

// The methods are isolated, and the session's queue is the main one.
@MainActor
final class QueueModel: NSObject, @preconcurrency NFCNDEFReaderSessionDelegate {
    var onEvent: (String) -> Void = { _ in }
    private var session: NFCNDEFReaderSession?

    func scan() {
        session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: false)
        session?.begin()
    }

    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) { onEvent("active") }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        onEvent("\(messages.count) messages")
        session.invalidate()
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        onEvent((error as? NFCReaderError)?.code == .readerSessionInvalidationErrorUserCanceled ? "ended" : "failed")
    }
}
