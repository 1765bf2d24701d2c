// An app's scanner: a read-only session, its messages listed on the main queue
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

import CoreNFC

protocol Screen: AnyObject {
    func reload()
    func present(title: String, message: String)
}

class Scanner: NSObject, NFCNDEFReaderSessionDelegate {
    weak var screen: Screen?
    var session: NFCNDEFReaderSession?
    var detectedMessages = [NFCNDEFMessage]()
    var readsOneTag = true

    func beginScanning() {
        guard NFCNDEFReaderSession.readingAvailable else {
            screen?.present(title: "Scanning Not Supported", message: "This device doesn't support tag scanning.")
            return
        }
        session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: readsOneTag)
        session?.alertMessage = "Hold your iPhone near the item to learn more about it."
        session?.begin()
    }

    // MARK: - NFCNDEFReaderSessionDelegate

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        DispatchQueue.main.async {
            self.detectedMessages.append(contentsOf: messages)
            self.screen?.reload()
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        if let readerError = error as? NFCReaderError {
            // The end after the first read and the user's Cancel are not reported as errors.
            if (readerError.code != .readerSessionInvalidationErrorFirstNDEFTagRead)
                && (readerError.code != .readerSessionInvalidationErrorUserCanceled)
            {
                DispatchQueue.main.async {
                    self.screen?.present(title: "Session Invalidated", message: error.localizedDescription)
                }
            }
        }
        // A session can be used for only one scan.
        DispatchQueue.main.async {
            self.session = nil
            self.screen?.reload()
        }
    }
}
