// An app that reads files of a card: select by name, extended lengths, chained commands, further bytes by GET RESPONSE
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

import CoreNFC

enum CardError: Error, LocalizedError, Equatable {
    case unavailable
    case unsupportedTag
    case status(UInt8, UInt8)
    case connection(String)

    var errorDescription: String? {
        switch self {
        case .unavailable: return "NFC is not available on this device."
        case .unsupportedTag: return "This card is not supported."
        case let .status(sw1, sw2): return String(format: "Card error %02X%02X", sw1, sw2)
        case .connection(let text): return text
        }
    }
}

typealias CardJob = (NFCISO7816Tag, @escaping (Result<Data, Error>) -> Void) -> Void

class CardReader: NSObject {
    private var session: NFCTagReaderSession?
    private var job: CardJob?
    private var completion: ((Result<Data, Error>) -> Void)?
    private var result: Result<Data, Error>?

    func run(_ job: @escaping CardJob, completion: @escaping (Result<Data, Error>) -> Void) {
        guard NFCTagReaderSession.readingAvailable else { return completion(.failure(CardError.unavailable)) }
        self.job = job
        self.completion = completion
        self.result = nil
        guard let session = NFCTagReaderSession(pollingOption: [.iso14443], delegate: self, queue: .main) else {
            return completion(.failure(CardError.unavailable))
        }
        self.session = session
        session.alertMessage = NSLocalizedString("Hold your card against the phone.", comment: "")
        session.begin()
    }

    private func finish(_ result: Result<Data, Error>) {
        self.result = result
        switch result {
        case .success:
            session?.alertMessage = "Done"
            session?.invalidate()
        case .failure(let error):
            session?.invalidate(errorMessage: error.localizedDescription)
        }
    }
}

extension CardReader: NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        debugPrint("active", session.isReady)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
        completion?(result ?? .failure(error))
        completion = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let first = tags.first, case .iso7816(let card) = first else {
            finish(.failure(CardError.unsupportedTag))
            return
        }
        session.connect(to: first) { [weak self] error in
            guard let self = self else { return }
            if let error = error {
                self.finish(.failure(CardError.connection(error.localizedDescription)))
                return
            }
            self.job?(card) { result in self.finish(result) }
        }
    }
}

// How an app uses the APDU class.
extension NFCISO7816Tag {
    func select(aid: [UInt8], completion: @escaping (Result<Data, Error>) -> Void) {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x00, instructionCode: 0xA4, p1Parameter: 0x04, p2Parameter: 0x00, data: Data(aid),
            expectedResponseLength: 256)
        transmit(apdu, completion: completion)
    }

    func select(file: UInt16, completion: @escaping (Result<Data, Error>) -> Void) {
        let id = Data([UInt8(file >> 8), UInt8(file & 0xFF)])
        transmit(
            NFCISO7816APDU(
                instructionClass: 0, instructionCode: 0xA4, p1Parameter: 0, p2Parameter: 0x0C, data: id,
                expectedResponseLength: -1),
            completion: completion)
    }

    /// Sends READ BINARY.
    ///
    /// A length of more than 256 bytes makes the command extended.
    func readBinary(offset: Int, length: Int, completion: @escaping (Result<Data, Error>) -> Void) {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x00, instructionCode: 0xB0, p1Parameter: UInt8(offset >> 8),
            p2Parameter: UInt8(offset & 0xFF), data: Data(), expectedResponseLength: length)
        transmit(apdu, completion: completion)
    }

    func updateBinary(offset: Int, data: Data, completion: @escaping (Result<Data, Error>) -> Void) {
        let header = Data([0x00, 0xD6, UInt8(offset >> 8), UInt8(offset & 0xFF)])
        // More than 255 bytes make the command extended.
        let length =
            data.count > 255
            ? Data([0, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]) : Data([UInt8(data.count)])
        guard let apdu = NFCISO7816APDU(data: header + length + data) else {
            return completion(.failure(CardError.connection("malformed APDU")))
        }
        transmit(apdu, completion: completion)
    }

    /// Sends one command in parts of 255 bytes.
    ///
    /// Bit 5 of CLA is set in all parts but the last.
    func sendChained(
        instruction: UInt8, p1: UInt8, p2: UInt8, data: Data, completion: @escaping (Result<Data, Error>) -> Void
    ) {
        let part = data.prefix(255)
        let rest = data.dropFirst(part.count)
        let apdu = NFCISO7816APDU(
            instructionClass: rest.isEmpty ? 0x00 : 0x10, instructionCode: instruction, p1Parameter: p1,
            p2Parameter: p2, data: Data(part), expectedResponseLength: rest.isEmpty ? 256 : -1)
        transmit(apdu) { result in
            guard case .success = result, !rest.isEmpty else { return completion(result) }
            self.sendChained(instruction: instruction, p1: p1, p2: p2, data: Data(rest), completion: completion)
        }
    }

    func transmit(
        _ apdu: NFCISO7816APDU, received: Data = Data(), completion: @escaping (Result<Data, Error>) -> Void
    ) {
        sendCommand(apdu: apdu) { (data, sw1, sw2, error) in
            if let error = error {
                completion(.failure(error))
                return
            }
            switch (sw1, sw2) {
            case (0x90, 0x00):
                completion(.success(received + data))
            case (0x61, let length):
                let more = NFCISO7816APDU(
                    instructionClass: 0, instructionCode: 0xC0, p1Parameter: 0, p2Parameter: 0, data: Data(),
                    expectedResponseLength: length == 0 ? 256 : Int(length))
                self.transmit(more, received: received + data, completion: completion)
            default:
                completion(.failure(CardError.status(sw1, sw2)))
            }
        }
    }
}

// Reads the same card with the async forms, as apps do today.
@available(iOS 15.0, *)
struct NDEFFileReader {
    let tag: NFCISO7816Tag

    func send(_ bytes: [UInt8]) async throws -> Data {
        guard let apdu = NFCISO7816APDU(data: Data(bytes)) else { throw CardError.unsupportedTag }
        let (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
        guard sw1 == 0x90, sw2 == 0x00 else { throw CardError.status(sw1, sw2) }
        return data
    }

    func file() async throws -> Data {
        _ = try await send([0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00])
        _ = try await send([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04])
        let length = try await send([0x00, 0xB0, 0x00, 0x00, 0x02])
        let count = Int(length[0]) << 8 | Int(length[1])
        let response: NFCISO7816ResponseAPDU = try await tag.sendCommand(
            apdu: NFCISO7816APDU(
                instructionClass: 0, instructionCode: 0xB0, p1Parameter: 0, p2Parameter: 2, data: Data(),
                expectedResponseLength: count))
        return response.payload ?? Data()
    }
}

final class TaskCardReader: NSObject, NFCTagReaderSessionDelegate {
    private var session: NFCTagReaderSession?
    private var continuation: CheckedContinuation<Data, Error>?
    private var data: Data?

    func file() async throws -> Data {
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
            session?.begin()
        }
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        if let data = data {
            continuation?.resume(returning: data)
        } else {
            continuation?.resume(throwing: error)
        }
        continuation = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        Task {
            do {
                guard let tag = tags.first, case let .iso7816(card) = tag else { throw CardError.unsupportedTag }
                try await session.connect(to: tag)
                data = try await NDEFFileReader(tag: card).file()
                session.invalidate()
            } catch {
                session.invalidate(errorMessage: error.localizedDescription)
            }
        }
    }
}
