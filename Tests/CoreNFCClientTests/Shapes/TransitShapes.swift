// An app that reads transit cards: polling, services, blocks without encryption
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

import CoreNFC

struct TransitCard {
    var idm = ""
    var systemCode = ""
    var pmm = ""
    var services: [String] = []
    var blocks: [Data] = []
}

extension Data {
    var hexString: String { return map { String(format: "%.2hhx", $0) }.joined() }
}

class TransitReader: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?
    var card = TransitCard()
    var blockToWrite: Data?
    var completionHandler: ((TransitCard?, Error?) -> Void)?
    private let readService: [UInt8] = [0x0B, 0x00]

    func beginScanning() {
        guard NFCTagReaderSession.readingAvailable else {
            print("This device doesn't support tag scanning.")
            return
        }
        self.session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self, queue: nil)
        self.session?.alertMessage = "カードをかざしてください"
        self.session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        print("tagReaderSessionDidBecomeActive(_:)")
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        if let readerError = error as? NFCReaderError {
            if readerError.code != .readerSessionInvalidationErrorFirstNDEFTagRead
                && readerError.code != .readerSessionInvalidationErrorUserCanceled
            {
                completionHandler?(nil, error)
                completionHandler = nil
            }
        }
        self.session = nil
        completionHandler?(card, nil)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        let tag = tags.first!
        session.connect(to: tag) { error in
            if let error = error {
                session.invalidate(errorMessage: error.localizedDescription)
                return
            }
            guard case .feliCa(let feliCaTag) = tag else {
                session.invalidate(errorMessage: "FeliCa ではありません")
                return
            }
            self.card.idm = feliCaTag.currentIDm.map { String(format: "%.2hhx", $0) }.joined()
            self.card.systemCode = feliCaTag.currentSystemCode.map { String(format: "%.2hhx", $0) }.joined()
            feliCaTag.polling(systemCode: feliCaTag.currentSystemCode, requestCode: .systemCode, timeSlot: .max1) {
                (pmm, requestData, error) in
                if let error = error { return session.invalidate(errorMessage: error.localizedDescription) }
                self.card.pmm = pmm.hexString
                self.services(of: feliCaTag, in: session)
            }
        }
    }

    private func services(of tag: NFCFeliCaTag, in session: NFCTagReaderSession) {
        let nodes = [Data(readService), Data([0xFF, 0xFF])]
        tag.requestService(nodeCodeList: nodes) { versions, error in
            // Small cards do not have this command.
            if error == nil { self.card.services = versions.map(\.hexString) }
            self.write(to: tag, in: session)
        }
    }

    private func write(to tag: NFCFeliCaTag, in session: NFCTagReaderSession) {
        guard let block = blockToWrite else { return read(tag, in: session) }
        tag.writeWithoutEncryption(
            serviceCodeList: [Data([0x09, 0x00])], blockList: [Data([0x80, 0x01])], blockData: [block]
        ) { statusFlag1, statusFlag2, error in
            guard error == nil, statusFlag1 == 0 else {
                session.invalidate(errorMessage: "\(statusFlag1), \(statusFlag2)")
                return
            }
            self.read(tag, in: session)
        }
    }

    private func read(_ tag: NFCFeliCaTag, in session: NFCTagReaderSession) {
        let serviceCode = Data(readService)
        let blockList = (0..<UInt8(2)).map { Data([0x80, $0]) }
        tag.readWithoutEncryption(serviceCodeList: [serviceCode], blockList: blockList) {
            status1, status2, data, error in
            if let error = error {
                session.invalidate(errorMessage: error.localizedDescription)
                return
            }
            guard status1 == 0x00, status2 == 0x00 else {
                print("ステータスフラグエラー: ", status1, " / ", status2)
                session.invalidate(errorMessage: "\(status1) / \(status2)")
                return
            }
            self.card.blocks = data
            session.alertMessage = "読み取りました"
            session.invalidate()
        }
    }
}

// The async and Result forms of the same commands.
@available(iOS 15.0, *)
extension NFCFeliCaTag {
    func blocks(_ numbers: [UInt8], of service: UInt16) async throws -> [Data] {
        let code = Data([UInt8(service & 0xFF), UInt8(service >> 8)])
        let (status1, _, data) = try await readWithoutEncryption(
            serviceCodeList: [code], blockList: numbers.map { Data([0x80, $0]) })
        return status1 == 0 ? data : []
    }

    func block(_ number: UInt8, of service: Data, completion: @escaping (Result<Data, Error>) -> Void) {
        readWithoutEncryption(serviceCodeList: [service], blockList: [Data([0x80, number])]) {
            (result: Result<(NFCFeliCaStatusFlag, [Data]), Error>) in
            completion(result.map { $0.0.statusFlag1 == 0 ? $0.1.first! : Data() })
        }
    }
}
