// Sessions behind `async`, as apps in Swift 6 wrap them: a continuation, a stream, an actor
// Written as for iOS: the code does not mention Linux.

@preconcurrency import CoreNFC

// A continuation around the delegate of an NDEF session, followed by the async forms only.
@MainActor
final class NDEFScanner: NSObject {
    enum Failure: Error { case unavailable, notWritable, empty }

    private var session: NFCNDEFReaderSession?
    private var continuation: CheckedContinuation<any NFCNDEFTag, any Error>?

    private func tag() async throws -> any NFCNDEFTag {
        guard NFCNDEFReaderSession.readingAvailable else { throw Failure.unavailable }
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: false)
            session?.begin()
        }
    }

    func read() async throws -> [String] {
        let tag = try await tag()
        defer { session?.invalidate() }
        try await session?.connect(to: tag)
        let (status, _) = try await tag.queryNDEFStatus()
        guard status != .notSupported else { throw Failure.empty }
        let message = try await tag.readNDEF()
        return message.records.compactMap {
            $0.wellKnownTypeTextPayload().0 ?? $0.wellKnownTypeURIPayload()?.absoluteString
        }
    }

    func write(_ text: String) async throws {
        let tag = try await tag()
        defer { session?.invalidate() }
        try await session?.connect(to: tag)
        guard case (.readWrite, let capacity) = try await tag.queryNDEFStatus(),
            let record = NFCNDEFPayload.wellKnownTypeTextPayload(string: text, locale: Locale(identifier: "en"))
        else { throw Failure.notWritable }
        let message = NFCNDEFMessage(records: [record])
        guard message.length <= capacity else { throw Failure.notWritable }
        try await tag.writeNDEF(message)
    }
}

extension NDEFScanner: @preconcurrency NFCNDEFReaderSessionDelegate {
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        guard let tag = tags.first else { return }
        continuation?.resume(returning: tag)
        continuation = nil
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        continuation?.resume(throwing: error)
        continuation = nil
    }
}

// A stream of strings, for `for try await`.
final class TextStream: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    private let continuation: AsyncThrowingStream<String, any Error>.Continuation
    let texts: AsyncThrowingStream<String, any Error>

    override init() {
        (texts, continuation) = AsyncThrowingStream.makeStream()
        super.init()
    }

    func start() -> NFCNDEFReaderSession {
        let session = NFCNDEFReaderSession(delegate: self, queue: nil, invalidateAfterFirstRead: true)
        session.begin()
        return session
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {
        for record in messages.flatMap(\.records) {
            if let text = record.wellKnownTypeTextPayload().0 { continuation.yield(text) }
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        switch (error as? NFCReaderError)?.code {
        case .readerSessionInvalidationErrorFirstNDEFTagRead: continuation.finish()
        default: continuation.finish(throwing: error)
        }
    }
}

// A tag session whose delegate starts a Task with the tags that it received.
final class TagTaskReader: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    private let onResult: @Sendable (String) -> Void
    private var session: NFCTagReaderSession?

    init(onResult: @escaping @Sendable (String) -> Void) { self.onResult = onResult }

    func scan() {
        session = NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: self, queue: nil)
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        let isCanceled = (error as? NFCReaderError)?.code == .readerSessionInvalidationErrorUserCanceled
        onResult(isCanceled ? "ended" : error.localizedDescription)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first else { return }
        Task {
            do {
                try await session.connect(to: tag)
                switch tag {
                case .miFare(let tag):
                    onResult("MIFARE \(try await tag.sendMiFareCommand(commandPacket: Data([0x60])).count)")
                case .iso7816(let tag):
                    let apdu = NFCISO7816APDU(
                        instructionClass: 0, instructionCode: 0xA4, p1Parameter: 4, p2Parameter: 0,
                        data: Data([0xD2, 0x76, 0, 0, 0x85, 1, 1]), expectedResponseLength: 256)
                    let (_, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
                    onResult("ISO 7816 \(sw1) \(sw2)")
                case .feliCa(let tag):
                    let (flag, _, blocks) = try await tag.readWithoutEncryption(
                        serviceCodeList: [Data([0x0B, 0x00])], blockList: [Data([0x80, 0x00])])
                    onResult("FeliCa \(flag) \(blocks.count)")
                case .iso15693: onResult("ISO 15693")
                @unknown default: onResult("unknown")
                }
                session.invalidate()
            } catch {
                session.invalidate(errorMessage: error.localizedDescription)
            }
        }
    }
}
