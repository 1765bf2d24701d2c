// The shape of a smart-card library's connection over NFC: an actor in front of a manager on a queue of its own

import CoreNFC

enum SmartCardError: Error, Equatable {
    case unsupported, busy, lost, malformed
    case session(Int)
}

/// A connection that lasts until it is closed.
///
/// Commands go to the detected tag, which was never connected.
struct SmartCard: Sendable {
    fileprivate let identifier: Data

    static func connect(alertMessage: String? = nil) async throws -> SmartCard {
        SmartCard(identifier: try await SmartCardGate.shared.connect(alertMessage))
    }

    /// Sends an APDU, and returns the answer with its status word.
    func send(_ apdu: Data) async throws -> Data { try await SmartCardGate.shared.send(apdu, to: identifier) }

    func close(message: String? = nil) async { await SmartCardGate.shared.close(message) }
}

private actor SmartCardGate {
    static let shared = SmartCardGate()
    private let queue = DispatchQueue(label: "smart-card")
    private let manager: SmartCardManager

    init() { manager = SmartCardManager(queue: queue) }

    func connect(_ message: String?) async throws -> Data {
        let (queue, manager) = (queue, manager)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { manager.connect(message) { continuation.resume(with: $0) } }
        }
    }

    func send(_ apdu: Data, to identifier: Data) async throws -> Data {
        let (queue, manager) = (queue, manager)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { manager.send(apdu, to: identifier) { continuation.resume(with: $0) } }
        }
    }

    func close(_ message: String?) async {
        let (queue, manager) = (queue, manager)
        await withCheckedContinuation { continuation in
            queue.async { manager.close(message) { continuation.resume() } }
        }
    }
}

// All of its code runs on its queue, which is also the session's queue.
private final class SmartCardManager: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    private let queue: DispatchQueue
    private var session: NFCTagReaderSession?
    private var tag: NFCISO7816Tag?
    private var connected: ((Result<Data, Error>) -> Void)?
    private var closed: [() -> Void] = []

    init(queue: DispatchQueue) { self.queue = queue }

    func connect(_ message: String?, completion: @escaping (Result<Data, Error>) -> Void) {
        guard NFCReaderSession.readingAvailable else { return completion(.failure(SmartCardError.unsupported)) }
        guard session == nil else { return completion(.failure(SmartCardError.busy)) }
        guard let session = NFCTagReaderSession(pollingOption: [.iso14443], delegate: self, queue: queue) else {
            return completion(.failure(SmartCardError.unsupported))
        }
        self.session = session
        connected = completion
        if let message { session.alertMessage = message }
        session.begin()
    }

    func send(_ data: Data, to identifier: Data, completion: @escaping (Result<Data, Error>) -> Void) {
        guard let tag, tag.identifier == identifier else { return completion(.failure(SmartCardError.lost)) }
        guard let apdu = NFCISO7816APDU(data: data) else { return completion(.failure(SmartCardError.malformed)) }
        tag.sendCommand(apdu: apdu) { data, sw1, sw2, error in
            if let error { completion(.failure(error)) } else { completion(.success(data + Data([sw1, sw2]))) }
        }
    }

    func close(_ message: String?, completion: @escaping () -> Void) {
        guard let session else { return completion() }
        closed.append(completion)
        if let message { session.alertMessage = message }
        session.invalidate()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        for case .iso7816(let tag) in tags where session === self.session {
            self.tag = tag
            connected?(.success(tag.identifier))
            connected = nil
            return
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        guard session === self.session else { return }
        connected?(.failure(SmartCardError.session((error as? NFCReaderError)?.code.rawValue ?? 0)))
        let waiting = closed
        (self.session, tag, connected, closed) = (nil, nil, nil, [])
        for completion in waiting { completion() }
    }
}
