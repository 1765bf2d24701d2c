// Small idioms of many apps, each as found in tutorials and answers; all must compile, but few of them are run
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap, NoLeadingUnderscores, AllPublicDeclarationsHaveDocumentation

#if canImport(CoreNFC)
    import CoreNFC

    @available(iOS 13.0, *)
    protocol NFCReadable: NFCTagReaderSessionDelegate {
        var session: NFCTagReaderSession? { get set }
        func handle(_ tag: NFCTag)
    }

    @available(iOS 13.0, *)
    extension NFCReadable {
        func beginSession(_ options: NFCTagReaderSession.PollingOption = [.iso14443, .iso15693, .iso18092]) {
            session = NFCTagReaderSession.init(
                pollingOption: options, delegate: self, queue: DispatchQueue.global(qos: .userInitiated))
            session?.alertMessage = "Hold"
            session?.begin()
        }
    }

    @available(iOS 13.0, *)
    open class BaseTagReader: NSObject, NFCReadable {
        public var session: NFCTagReaderSession?
        public private(set) var lastError: NFCReaderError.Code?
        private lazy var ndefSession: NFCNDEFReaderSession? = NFCNDEFReaderSession(
            delegate: self, queue: nil, invalidateAfterFirstRead: true)

        open func handle(_ tag: NFCTag) {}

        open func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

        open func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
            let nfcError = error as! NFCReaderError
            lastError = nfcError.code
            switch nfcError.code {
            case NFCReaderError.Code.readerSessionInvalidationErrorUserCanceled: break
            case .readerSessionInvalidationErrorSessionTimeout, .readerSessionInvalidationErrorSystemIsBusy:
                print(nfcError.localizedDescription, nfcError.errorCode, nfcError.errorUserInfo.count)
            default:
                print("Error: \(nfcError)")
            }
            if (error as NSError).domain == NFCErrorDomain,
                (error as NSError).code == NFCReaderError.readerSessionInvalidationErrorUserCanceled.rawValue
            {
                return
            }
            if error._code == NFCReaderError.Code.readerSessionInvalidationErrorFirstNDEFTagRead.rawValue { return }
            switch (error as? NFCReaderError)?.code {
            case .readerTransceiveErrorTagConnectionLost?: session.restartPolling()
            case .some(.readerTransceiveErrorTagNotConnected): break
            case .some(_), .none: break
            }
            guard let readerError = error as? NFCReaderError,
                ![
                    NFCReaderError.Code.readerSessionInvalidationErrorUserCanceled,
                    .readerSessionInvalidationErrorFirstNDEFTagRead,
                ].contains(readerError.code)
            else { return }
        }

        open func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
            tags.forEach { tag in
                if case .feliCa(let feliCaTag) = tag { print(feliCaTag.currentIDm as NSData) }
                if case let NFCTag.miFare(miFareTag) = tag { print(miFareTag.mifareFamily.rawValue) }
            }
            let mifare: [NFCMiFareTag] = tags.compactMap {
                guard case let .miFare(tag) = $0 else { return nil }
                return tag
            }
            guard mifare.count == 1, let first = tags.first(where: { $0.isAvailable }) else {
                return session.invalidate(errorMessage: "One tag, please.")
            }
            session.connect(
                to: first,
                completionHandler: { [weak self] (error: Error?) in
                    guard let strongSelf = self, error == nil else { return }
                    if case .miFare(_)? = session.connectedTag { strongSelf.handle(first) }
                    strongSelf.status(of: mifare[0], in: session)
                })
        }

        // A native tag is an NDEF tag, too.
        private func status(of tag: NFCNDEFTag, in session: NFCReaderSession) {
            tag.queryNDEFStatus(completionHandler: { (ndefStatus: NFCNDEFStatus, capacity: Int, error: Error?) in
                guard error == nil else {
                    return session.invalidate(errorMessage: "Unable to query NDEF status of tag.")
                }
                switch ndefStatus {
                case .notSupported: session.invalidate(errorMessage: "Tag is not NDEF compliant.")
                case .readOnly: session.invalidate(errorMessage: "Tag is read only.")
                case .readWrite:
                    tag.readNDEF { (message: NFCNDEFMessage?, error: Error?) in
                        let ids = message?.records.map { String(decoding: $0.identifier, as: UTF8.self) } ?? []
                        session.alertMessage = ids.joined()
                        session.invalidate()
                    }
                @unknown default: session.invalidate(errorMessage: "Unknown NDEF tag status.")
                }
            })
        }
    }

    @available(iOS 13.0, *)
    extension BaseTagReader: NFCNDEFReaderSessionDelegate {
        public func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {}
        public func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
    }

    @available(iOS 13.0, *)
    final class VicinityReader: BaseTagReader {
        override func handle(_ tag: NFCTag) {
            guard case .iso15693(let tag) = tag else { return super.handle(tag) }
            let uid = tag.identifier.map { String(format: "%.2hhx", $0) }.joined(separator: ":")
            print(uid, tag.icManufacturerCode, tag.icSerialNumber.count)
            tag.readSingleBlock(requestFlags: [.highDataRate, .address], blockNumber: 0) {
                (data: Data, error: Error?) in
                print(data.count, error ?? "")
            }
            tag.readMultipleBlocks(
                requestFlags: RequestFlag(rawValue: 0x02), blockRange: NSRange(location: 0, length: 4)
            ) { blocks, error in
                for block in blocks { print(block.count) }
            }
            tag.writeSingleBlock(requestFlags: .highDataRate, blockNumber: 1, dataBlock: Data([1, 2, 3, 4])) { error in
                if error != nil { self.session?.invalidate(errorMessage: "Write failed") }
            }
            tag.customCommand(
                requestFlags: .highDataRate, customCommandCode: 0xA9, customRequestParameters: Data()
            ) { (result: Result<Data, Error>) in
                if case .failure(let error) = result, let error = error as? NFCReaderError {
                    print(error.userInfo[NFCISO15693TagResponseErrorKey] as? Int ?? 0)
                }
            }
            tag.getSystemInfo(requestFlags: [.address, .highDataRate]) {
                (dsfid, afi, blockSize, blockCount, ic, error) in
                print(dsfid, afi, blockSize, blockCount, ic, error == nil)
            }
            tag.getSystemInfo(requestFlags: .address) { (result: Result<NFCISO15693SystemInfo, Error>) in
                if case let .success(info) = result { print(info.totalBlocks) }
            }
        }
    }

    // Closures with every number of parameters, for calls with two handler forms.
    @available(iOS 14.0, *)
    enum HandlerIdioms {
        static func send(_ apdu: NFCISO7816APDU, to tag: NFCISO7816Tag, done: @escaping (String) -> Void) {
            tag.sendCommand(apdu: apdu) { (response: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
                guard error == nil && !(sw1 == 0x90 && sw2 == 0) else { return done("\(response.count)") }
                done("error")
            }
            tag.sendCommand(apdu: apdu) { result in
                switch result {
                case .success(let response): done("\(response.statusWord1) \(response.payload?.count ?? 0)")
                case .failure(let error): done(error.localizedDescription)
                }
            }
            tag.sendCommand(apdu: apdu) { _, _, _, _ in }
            tag.sendCommand(apdu: apdu, completionHandler: { data, _, _, _ in done("\(data.count)") })
        }

        static func send(_ command: [UInt8], to tag: NFCMiFareTag, done: @escaping (String) -> Void) {
            tag.sendMiFareCommand(commandPacket: Data(command)) { data, error in done("\(data.count)") }
            tag.sendMiFareCommand(commandPacket: Data(command)) { result in
                switch result {
                case .success(let data): done("\(data.count)")
                case .failure(let error): done("\(error)")
                }
            }
            tag.sendMiFareCommand(commandPacket: Data(command), completionHandler: { (data, error) in done("") })
            tag.sendMiFareISO7816Command(NFCISO7816APDU(data: Data(command))!) { data, sw1, sw2, error in
                done("\(sw1) \(sw2)")
            }
        }

        static func ask(_ tag: NFCFeliCaTag, done: @escaping (String) -> Void) {
            tag.requestResponse { mode, error in done("\(mode)") }
            tag.requestResponse { result in done("\((try? result.get()) ?? -1)") }
            tag.requestSystemCode { codes, error in done("\(codes.count)") }
            tag.polling(systemCode: Data([0xFF, 0xFF]), requestCode: .noRequest, timeSlot: .max1) { result in
                if case .success(let response) = result { done(response.manufactureParameter.base64EncodedString()) }
            }
            tag.sendFeliCaCommand(commandPacket: Data([0x0C])) { data, error in done("\(data.count)") }
        }
    }

    @available(iOS 15.0, *)
    struct AsyncIdioms {
        func card(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws -> [UInt8] {
            let (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
            let tuple = try await tag.sendCommand(apdu: apdu)
            let response = try await tag.sendCommand(apdu: apdu) as NFCISO7816ResponseAPDU
            return [UInt8](data) + [sw1, sw2, tuple.1, response.statusWord2]
        }

        func sticker(_ tag: NFCMiFareTag) async throws -> Data {
            async let first = tag.sendMiFareCommand(commandPacket: Data([0x30, 0]))
            return try await first
        }

        func feliCa(_ tag: NFCFeliCaTag) async throws -> String {
            let (pmm, _) = try await tag.polling(
                systemCode: Data([0x12, 0xFC]), requestCode: .noRequest, timeSlot: .max1)
            let services = try await tag.requestService(nodeCodeList: [Data([0x0B, 0x00])])
            let (_, _, blocks) = try await tag.readWithoutEncryption(
                serviceCodeList: [Data([0x0B, 0x00])], blockList: [Data([0x80, 0x00])])
            return "\(pmm.count) \(services.count) \(blocks.count)"
        }

        func vicinity(_ tag: NFCISO15693Tag) async throws -> Int {
            let block = try await tag.readSingleBlock(requestFlags: [.highDataRate], blockNumber: 0)
            let info = try await tag.systemInfo(requestFlags: .highDataRate)
            return block.count + info.blockSize
        }
    }

    enum SessionIdioms {
        static func stop(_ session: NFCReaderSessionProtocol?, because text: String?) {
            guard let session = session, session.isReady else { return }
            if let text = text { session.invalidate(errorMessage: text) } else { session.invalidate() }
        }

        static func restart(_ session: NFCReaderSession) {
            if let session = session as? NFCTagReaderSession {
                session.restartPolling()
            } else {
                (session as? NFCNDEFReaderSession)?.restartPolling()
            }
        }

        static var isAvailable: Bool {
            return NFCReaderSession.readingAvailable && NFCNDEFReaderSession.readingAvailable
                && NFCTagReaderSession.readingAvailable
        }
    }
#endif
