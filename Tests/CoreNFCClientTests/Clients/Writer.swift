// An app's writer: checks the status of one tag, writes a message, and informs the user
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

import CoreNFC

@available(iOS 13.0, *)
class Writer: NSObject {
    var session: NFCNDEFReaderSession?
    var message: NFCNDEFMessage
    var onEnd: (Error) -> Void = { _ in }

    init(message: NFCNDEFMessage) {
        self.message = message
    }

    func beginWrite() {
        session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: false)
        session?.alertMessage = "Hold your iPhone near an NDEF tag to write the message."
        session?.begin()
    }
}

@available(iOS 13.0, *)
extension Writer: NFCNDEFReaderSessionDelegate {
    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        fatalError("never called where didDetect tags is implemented")
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        if tags.count > 1 {
            let retryInterval = DispatchTimeInterval.milliseconds(500)
            session.alertMessage = "More than 1 tag is detected. Please remove all tags and try again."
            DispatchQueue.global().asyncAfter(
                deadline: .now() + retryInterval,
                execute: {
                    session.restartPolling()
                })
            return
        }

        let tag = tags.first!
        session.connect(
            to: tag,
            completionHandler: { (error: Error?) in
                if nil != error {
                    session.alertMessage = "Unable to connect to tag."
                    session.invalidate()
                    return
                }
                tag.queryNDEFStatus(completionHandler: { (ndefStatus: NFCNDEFStatus, capacity: Int, error: Error?) in
                    guard error == nil else {
                        session.alertMessage = "Unable to query the NDEF status of tag."
                        session.invalidate()
                        return
                    }
                    switch ndefStatus {
                    case .notSupported:
                        session.alertMessage = "Tag is not NDEF compliant."
                        session.invalidate()
                    case .readOnly:
                        session.alertMessage = "Tag is read only."
                        session.invalidate()
                    case .readWrite:
                        tag.writeNDEF(
                            self.message,
                            completionHandler: { (error: Error?) in
                                if nil != error {
                                    session.alertMessage = "Write NDEF message fail: \(error!.localizedDescription)"
                                } else {
                                    session.alertMessage = "Write NDEF message successful."
                                }
                                session.invalidate()
                            })
                    @unknown default:
                        session.alertMessage = "Unknown NDEF tag status."
                        session.invalidate()
                    }
                })
            })
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        onEnd(error)
    }
}
