// An app for sensors behind an ST25DV: the Result forms, custom commands of ST, its mailbox by sendRequest
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

import CoreNFC

@available(iOS 14.0, *)
class DynamicTagManager: NSObject {
    enum Action {
        case configuration(UInt8)
        case setConfiguration(UInt8, UInt8, password: Data)
        case message(Data)
        case dump(NSRange)
    }

    private var session: NFCTagReaderSession?
    private var action = Action.configuration(0)
    private var completion: ((Result<String, Error>) -> Void)?
    private let flags: RequestFlag = [.highDataRate, .address]

    func run(_ action: Action, completion: @escaping (Result<String, Error>) -> Void) {
        self.action = action
        self.completion = completion
        session = NFCTagReaderSession(pollingOption: [.iso14443, .iso15693], delegate: self, queue: .main)
        session?.begin()
    }

    private func finish(_ result: Result<String, Error>) {
        let completion = self.completion
        self.completion = nil
        session?.invalidate()
        completion?(result)
    }

    private func perform(on tag: NFCISO15693Tag) {
        switch action {
        case .configuration(let pointer):
            tag.customCommand(
                requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: Data([pointer])
            ) { [weak self] result in
                self?.finish(result.map { data in data.map { String(format: "%02x", $0) }.joined() })
            }
        case .setConfiguration(let pointer, let value, let password):
            present(password, to: tag) { [weak self] in
                guard let self = self else { return }
                tag.customCommand(
                    requestFlags: self.flags, customCommandCode: 0xA1, customRequestParameters: Data([pointer, value])
                ) { (result: Result<Data, Error>) in
                    switch result {
                    case .success: self.finish(.success("configured"))
                    case .failure(let error): self.finish(.failure(error))
                    }
                }
            }
        case .message(let message):
            put(message, into: tag)
        case .dump(let range):
            tag.getSystemInfo(requestFlags: flags) { [weak self] (result: Result<NFCISO15693SystemInfo, Error>) in
                switch result {
                case .success(let info):
                    let size = info.blockSize
                    tag.extendedReadSingleBlock(requestFlags: .highDataRate, blockNumber: range.location) { first in
                        guard case .success(let block) = first, block.count == size else {
                            self?.finish(.success("size \(size)"))
                            return
                        }
                        tag.fastReadMultipleBlocks(requestFlags: .highDataRate, blockRange: range) { result in
                            self?.finish(result.map { "\($0.count) of \(info.totalBlocks) blocks" })
                        }
                    }
                case .failure(let error): self?.finish(.failure(error))
                }
            }
        }
    }

    private func present(_ password: Data, to tag: NFCISO15693Tag, then next: @escaping () -> Void) {
        tag.customCommand(requestFlags: flags, customCommandCode: 0xB3, customRequestParameters: Data([0]) + password) {
            [weak self] result in
            if case .failure(let error) = result { self?.finish(.failure(error)) } else { next() }
        }
    }

    // The app builds the whole frame after the command code: manufacturer, UID, length, message.
    private func put(_ message: Data, into tag: NFCISO15693Tag) {
        var frame = Data([UInt8(tag.icManufacturerCode)])
        frame.append(contentsOf: tag.identifier.reversed())
        frame.append(UInt8(message.count - 1))
        frame.append(message)
        tag.sendRequest(requestFlags: Int(flags.rawValue), commandCode: 0xAA, data: frame) { [weak self] result in
            guard case .success((let responseFlag, _)) = result, !responseFlag.contains(.error) else {
                self?.finish(result.map { "refused \($0.1?.first ?? 0)" })
                return
            }
            tag.customCommand(
                requestFlags: .highDataRate, customCommandCode: 0xAC, customRequestParameters: Data([0, 0])
            ) { result in
                self?.finish(result.map { String(decoding: $0, as: UTF8.self) })
            }
        }
    }
}

@available(iOS 14.0, *)
extension DynamicTagManager: NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        completion?(.failure(error))
        completion = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let first = tags.first, case .iso15693(let tag) = first else {
            return session.invalidate(errorMessage: "Wrong tag")
        }
        session.connect(to: first) { [weak self] error in
            if let error = error { self?.finish(.failure(error)) } else { self?.perform(on: tag) }
        }
    }
}
