// An app for NTAG stickers, which reads and writes pages with the tag's own commands, 30 and A2
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import CoreNFC

protocol StickerEditorDelegate: AnyObject {
    func stickerEditor(_ editor: StickerEditor, didRead pages: [UInt8: Data])
    func stickerEditor(_ editor: StickerEditor, didFinishWith message: String?)
}

class StickerEditor: NSObject {
    enum Action {
        case read(from: UInt8, count: UInt8)
        case write(page: UInt8, bytes: [UInt8])
    }

    weak var delegate: StickerEditorDelegate?
    var session: NFCTagReaderSession?
    private var action = Action.read(from: 4, count: 4)
    private var pages = [UInt8: Data]()

    func start(_ action: Action) {
        guard NFCTagReaderSession.readingAvailable else {
            delegate?.stickerEditor(self, didFinishWith: "This device doesn't support tag scanning.")
            return
        }
        self.action = action
        pages = [:]
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.alertMessage = "Hold your iPhone near the sticker."
        session?.begin()
    }

    private func read(_ page: UInt8, end: UInt8, from tag: NFCMiFareTag, in session: NFCTagReaderSession) {
        guard page < end else {
            session.alertMessage = "Read \(pages.count) pages."
            session.invalidate()
            DispatchQueue.main.async {
                self.delegate?.stickerEditor(self, didRead: self.pages)
            }
            return
        }
        tag.sendMiFareCommand(commandPacket: Data([0x30, page])) { [weak self] (data: Data, error: Error?) in
            guard let self = self else { return }
            if let error = error {
                session.invalidate(errorMessage: "Read failed: \(error.localizedDescription)")
                return
            }
            // One answer holds four pages.
            for offset in 0..<UInt8(data.count / 4) where page + offset < end {
                let start = Int(offset) * 4
                self.pages[page + offset] = data.subdata(in: start..<start + 4)
            }
            self.read(page + 4, end: end, from: tag, in: session)
        }
    }

    private func write(_ bytes: [UInt8], to page: UInt8, of tag: NFCMiFareTag, in session: NFCTagReaderSession) {
        let packet = Data([0xA2, page] + bytes)
        tag.sendMiFareCommand(commandPacket: packet) { response, error in
            guard error == nil else {
                session.invalidate(errorMessage: "Write failed: \(error!.localizedDescription)")
                return
            }
            if response.first == 0x0A {
                session.alertMessage = "Written."
                session.invalidate()
            } else {
                session.invalidate(errorMessage: "NAK")
            }
        }
    }
}

extension StickerEditor: NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        // If necessary, you may perform additional operations on session start.
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        var message: String? = error.localizedDescription
        if let readerError = error as? NFCReaderError {
            if (readerError.code != .readerSessionInvalidationErrorFirstNDEFTagRead)
                && (readerError.code != .readerSessionInvalidationErrorUserCanceled)
            {
                message = "Session Invalidated: \(error.localizedDescription)"
            } else {
                message = session.alertMessage
            }
        }
        self.session = nil
        DispatchQueue.main.async { [weak self] in
            guard let self = self else { return }
            self.delegate?.stickerEditor(self, didFinishWith: message)
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            // Restart polling in 500 milliseconds.
            let retryInterval = DispatchTimeInterval.milliseconds(500)
            session.alertMessage = "More than 1 tag is detected. Please remove all tags and try again."
            DispatchQueue.global().asyncAfter(
                deadline: .now() + retryInterval,
                execute: {
                    session.restartPolling()
                })
            return
        }
        guard case let .miFare(tag) = tags.first!, tag.mifareFamily == .ultralight else {
            session.alertMessage = "Not a sticker."
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) {
                session.restartPolling()
            }
            return
        }
        session.connect(to: tags.first!) { (error: Error?) in
            if nil != error {
                session.invalidate(errorMessage: "Connection error. Please try again.")
                return
            }
            switch self.action {
            case .read(let from, let count): self.read(from, end: from + count, from: tag, in: session)
            case let .write(page, bytes): self.write(bytes, to: page, of: tag, in: session)
            }
        }
    }
}

// The same with Result and a closure for each event, behind a class that hides the delegate.
final class SerialNumberReader: NSObject, NFCTagReaderSessionDelegate {
    private var session: NFCTagReaderSession!
    private let queue = DispatchQueue(label: "com.example.serials")
    private let completion: (Result<String, Error>) -> Void
    var onEnd: (() -> Void)?

    init(completion: @escaping (Result<String, Error>) -> Void) {
        self.completion = completion
        super.init()
        session = NFCTagReaderSession(
            pollingOption: [.iso14443, .iso15693, .iso18092], delegate: self, queue: queue)
    }

    func begin() { session.begin() }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        defer { onEnd?() }
        if let error = error as? NFCReaderError, error.code == .readerSessionInvalidationErrorUserCanceled { return }
        completion(.failure(error))
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        var identifier = Data()
        switch tags.first! {
        case .miFare(let tag): identifier = tag.identifier
        case .iso7816(let tag): identifier = tag.identifier
        case .iso15693(let tag): identifier = Data(tag.identifier.reversed())
        case .feliCa(let tag): identifier = tag.currentIDm
        @unknown default: session.invalidate(errorMessage: "Unsupported tag")
        }
        completion(.success(identifier.map { String(format: "%02X", $0) }.joined(separator: ":")))
        session.invalidate()
    }
}

// The tag's version and a counter, read with the Result forms.
extension NFCMiFareTag {
    func version(_ completion: @escaping (Result<[UInt8], Error>) -> Void) {
        sendMiFareCommand(commandPacket: Data([0x60])) { (result: Result<Data, Error>) in
            switch result {
            case .success(let data): completion(.success([UInt8](data)))
            case .failure(let error): completion(.failure(error))
            }
        }
    }
}
