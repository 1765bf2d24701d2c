// An app's controller for reading and writing, which waits neither for a connection nor for a tag to be held still
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

import CoreNFC

enum Job {
    case read
    case write(text: String, url: URL)
}

final class ReadWriteController: NSObject {
    private(set) var session: NFCNDEFReaderSession?
    private var job: Job = .read
    var show: (_ text: String?, _ url: URL?) -> Void = { _, _ in }
    var finish: (Int) -> Void = { _ in }

    func start(_ job: Job) {
        guard NFCNDEFReaderSession.readingAvailable else { return }
        self.job = job
        session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: false)
        session?.alertMessage = "Hold your iPhone near the tag."
        session?.begin()
    }

    private func stop(alert: String, success: Bool) {
        guard let session = session else { return }
        if success {
            session.alertMessage = alert
        } else {
            session.invalidate(errorMessage: alert)
        }
    }

    private func waitForRemoval(of tag: NFCNDEFTag) {
        guard let session = session else { return }
        session.connect(to: tag) { error in
            if error != nil || !tag.isAvailable {
                session.restartPolling()
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                // The session may have been replaced in the meantime.
                if self.session === session { self.waitForRemoval(of: tag) }
            }
        }
    }

    private func read(_ tag: NFCNDEFTag) {
        tag.readNDEF { message, error in
            guard let message = message, error == nil else {
                self.stop(alert: error?.localizedDescription ?? "Nothing read.", success: false)
                return
            }
            for record in message.records where record.typeNameFormat == .nfcWellKnown {
                if String(data: record.type, encoding: .utf8) == "T" {
                    let (text, locale) = record.wellKnownTypeTextPayload()
                    self.show(text.map { "\($0) (\(locale?.identifier ?? "?"))" }, nil)
                } else if record.type == Data([0x55]) {
                    self.show(nil, record.wellKnownTypeURIPayload())
                }
            }
            self.stop(alert: "Read.", success: true)
            self.waitForRemoval(of: tag)
        }
    }

    private func write(_ text: String, _ url: URL, to tag: NFCNDEFTag, capacity: Int) {
        let textPayload = NFCNDEFPayload.wellKnownTypeTextPayload(string: text, locale: Locale(identifier: "en"))
        let uriPayload = NFCNDEFPayload.wellKnownTypeURIPayload(url: url)
        let message = NFCNDEFMessage(records: [textPayload, uriPayload].compactMap { $0 })
        if message.length > capacity {
            stop(alert: "The tag is too small: \(message.length) > \(capacity).", success: false)
            return
        }
        tag.writeNDEF(message) { error in
            if let error = error as? NFCReaderError {
                self.stop(alert: "Failed (\(error.errorCode)): \(error.localizedDescription)", success: false)
            } else {
                self.stop(alert: "Written.", success: true)
                self.waitForRemoval(of: tag)
            }
        }
    }
}

extension ReadWriteController: NFCNDEFReaderSessionDelegate {
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        finish((error as NSError).code)
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [NFCNDEFTag]) {
        if tags.count > 1 {
            session.alertMessage = "Only one tag, please."
            waitForRemoval(of: tags.first!)
            return
        }
        guard let tag = tags.first else { return }
        session.connect(to: tag) { error in
            if error != nil { session.restartPolling() }
        }
        // This is not inside the handler, because operations are carried out in the order of the calls.
        tag.queryNDEFStatus { [weak self] status, capacity, error in
            guard let self = self else { return }
            if let error = error {
                self.stop(alert: "Failed: \(error.localizedDescription)", success: false)
                return
            }
            switch (status, self.job) {
            case (.notSupported, _):
                self.stop(alert: "Not an NDEF tag.", success: false)
            case (.readWrite, .read), (.readOnly, .read):
                self.read(tag)
            case (.readOnly, .write):
                self.stop(alert: "Read-only.", success: false)
            case (.readWrite, .write(let text, let url)):
                self.write(text, url, to: tag, capacity: capacity)
            @unknown default:
                self.stop(alert: "Unknown status.", success: false)
            }
        }
    }
}
