// An app for library labels on ICODE SLIX2: the handler forms, one inside the other, and custom commands of NXP
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

import CoreNFC

struct Label {
    var uid = ""
    var blockSize = 0
    var blockCount = 0
    var text = ""
    var signature = Data()
}

class LabelReader: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?
    var label = Label()
    var password: [UInt8] = [0x0F, 0x0F, 0x0F, 0x0F]
    var textToWrite: String?
    var onFinish: ((Label?, String?) -> Void)?

    func beginScanning() {
        guard NFCTagReaderSession.readingAvailable else { return }
        session = NFCTagReaderSession(pollingOption: [.iso15693], delegate: self, queue: nil)
        session?.alertMessage = "Hold your iPhone near the label."
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        if let error = error as? NFCReaderError, error.code != .readerSessionInvalidationErrorUserCanceled {
            onFinish?(nil, error.localizedDescription)
        } else if session.alertMessage.hasPrefix("Hold") {
            onFinish?(label, nil)
        } else {
            onFinish?(nil, session.alertMessage)
        }
        self.session = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            session.alertMessage = "More than 1 label was found."
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { session.restartPolling() }
            return
        }
        guard case let .iso15693(tag) = tags.first! else {
            session.invalidate(errorMessage: "Not a label.")
            return
        }
        session.connect(to: tags.first!) { (error: Error?) in
            if let error = error {
                session.invalidate(errorMessage: "Connection failed: \(error.localizedDescription)")
                return
            }
            self.label.uid = tag.identifier.map { String(format: "%02X", $0) }.joined()
            self.readInfo(tag)
        }
    }

    private func readInfo(_ tag: NFCISO15693Tag) {
        tag.getSystemInfo(requestFlags: [.address, .highDataRate]) {
            (dsfid: Int, afi: Int, blockSize: Int, blockCount: Int, icReference: Int, error: Error?) in
            if let error = error {
                self.session?.invalidate(errorMessage: error.localizedDescription)
                return
            }
            self.label.blockSize = blockSize
            self.label.blockCount = blockCount
            if let text = self.textToWrite {
                self.authenticate(tag) { self.write(text, to: tag) }
            } else {
                self.readText(tag)
            }
        }
    }

    // The password is sent XORed with a random number of the tag.
    private func authenticate(_ tag: NFCISO15693Tag, then next: @escaping () -> Void) {
        tag.customCommand(requestFlags: .highDataRate, customCommandCode: 0xB2, customRequestParameters: Data()) {
            (random: Data, error: Error?) in
            guard error == nil, random.count == 2 else {
                self.session?.invalidate(errorMessage: "No random number.")
                return
            }
            let masked = self.password.enumerated().map { $0.element ^ random[$0.offset % 2] }
            tag.customCommand(
                requestFlags: [.highDataRate, .address], customCommandCode: 0xB3,
                customRequestParameters: Data([0x02] + masked)
            ) { _, error in
                if let error = error as? NFCReaderError {
                    let code = error.userInfo[NFCISO15693TagResponseErrorKey] as? Int
                    self.session?.invalidate(errorMessage: "Wrong password (\(code ?? -1)).")
                    return
                }
                next()
            }
        }
    }

    private func write(_ text: String, to tag: NFCISO15693Tag, from block: UInt8 = 4) {
        var rest = Data(text.utf8)
        guard !rest.isEmpty else { return readText(tag) }
        var data = Data(rest.prefix(4))
        data.append(contentsOf: [UInt8](repeating: 0, count: 4 - data.count))
        rest = rest.dropFirst(4)
        tag.writeSingleBlock(requestFlags: [.highDataRate, .address], blockNumber: block, dataBlock: data) { error in
            if let error = error {
                self.session?.invalidate(errorMessage: "Write failed: \(error.localizedDescription)")
                return
            }
            self.write(String(data: rest, encoding: .utf8)!, to: tag, from: block + 1)
        }
    }

    private func readText(_ tag: NFCISO15693Tag) {
        tag.readMultipleBlocks(requestFlags: [.highDataRate, .address], blockRange: NSMakeRange(4, 4)) {
            blocks, error in
            guard error == nil else {
                self.session?.invalidate(errorMessage: error!.localizedDescription)
                return
            }
            let bytes = blocks.reduce(Data(), +).prefix { $0 != 0 }
            self.label.text = String(data: bytes, encoding: .utf8) ?? ""
            tag.customCommand(requestFlags: .highDataRate, customCommandCode: 0xBD, customRequestParameters: Data()) {
                signature, error in
                self.label.signature = signature
                self.session?.invalidate()
            }
        }
    }
}
