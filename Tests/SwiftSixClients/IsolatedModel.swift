// A view model of an app in Swift 6 whose conformance itself is isolated to the main actor
// Written as for iOS: the code does not mention Linux.

@preconcurrency import CoreNFC

@MainActor
final class IsolatedModel: NSObject {
    var onEvent: (String) -> Void = { _ in }
    private var session: NFCTagReaderSession?

    func scan(on queue: DispatchQueue? = .main) {
        session = NFCTagReaderSession(pollingOption: [.iso14443], delegate: self, queue: queue)
        session?.begin()
    }
}

extension IsolatedModel: @MainActor NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) { onEvent("active") }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first, case .miFare(let sticker) = tag else { return session.restartPolling() }
        session.connect(to: tag) { error in
            guard error == nil else { return session.invalidate(errorMessage: "Lost") }
            sticker.sendMiFareCommand(commandPacket: Data([0x30, 0x03])) { data, error in
                session.invalidate(errorMessage: error?.localizedDescription ?? "\(data.count) bytes")
            }
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        onEvent(session.alertMessage.isEmpty ? "ended" : session.alertMessage)
    }
}
