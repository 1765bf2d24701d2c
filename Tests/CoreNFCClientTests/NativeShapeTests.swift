// Apps that send native commands to tags work as on an iPhone

import CoreNFC
import Testing
import VirtualPN532

extension ClientTests {
    @MainActor @Suite struct StickerShapeTests {
        final class Screen: StickerEditorDelegate {
            let events = Events<String>()

            func stickerEditor(_ editor: StickerEditor, didRead pages: [UInt8: Data]) {
                let listed = pages.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.hexString)" }
                events.record(listed.joined(separator: ", "))
            }

            func stickerEditor(_ editor: StickerEditor, didFinishWith message: String?) {
                events.record(message ?? "nothing")
            }
        }

        let editor = StickerEditor()
        let screen = Screen()

        init() { editor.delegate = screen }

        @Test func pagesAreReadByREAD() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make(text: "sticker")])
            editor.start(.read(from: 3, count: 6))
            // Capability container, then the message, as in NXP's data sheet.
            let pages = try await screen.events.next()
            #expect(pages.hasPrefix("3: e1101200, 4: "))
            #expect(pages.components(separatedBy: ", ").count == 6)
            #expect(try await screen.events.next() == "Read 6 pages.")
        }

        @Test func whatWRITEWroteIsRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            editor.start(.write(page: 0x10, bytes: [0xCA, 0xFE, 0xBA, 0xBE]))
            #expect(try await screen.events.next() == "Written.")
            editor.start(.read(from: 0x10, count: 1))
            #expect(try await screen.events.next() == "16: cafebabe")
            #expect(try await screen.events.next() == "Read 1 pages.")
        }

        @Test func aPageThatIsNotThereFails() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            editor.start(.write(page: 0xF0, bytes: [0, 0, 0, 0]))
            let alert = try await screen.events.next()
            #expect(alert == "Write failed: Tag response error / no response" || alert == "NAK")
        }

        @Test func ofTwoStickersNoneIsTaken() async throws {
            let reader = try Bench.reader(with: [
                VirtualTagKind.ntag213.make(serial: 1), VirtualTagKind.ntag213.make(serial: 2),
            ])
            editor.start(.write(page: 0x10, bytes: [1, 2, 3, 4]))
            try await until {
                editor.session?.alertMessage == "More than 1 tag is detected. Please remove all tags and try again."
            }
            reader.field.replaceAll(with: [VirtualTagKind.ntag213.make(serial: 3)])
            #expect(try await screen.events.next() == "Written.")
        }

        @Test(arguments: [(VirtualTagKind.ntag215, 7), (.type4, 7), (.type3, 8), (.desfire, 7)])
        func aSerialNumberIsReadOfAnyTag(_ kind: VirtualTagKind, _ size: Int) async throws {
            let events = Events<String>()
            _ = try Bench.reader(with: [kind.make()])
            let reader = SerialNumberReader { result in
                switch result {
                case .success(let number): events.record(number)
                case .failure(let error): events.record(error.localizedDescription)
                }
            }
            reader.onEnd = { events.record("ended") }
            reader.begin()
            let number = try await events.next()
            #expect(try await events.next() == "ended")
            #expect(number.components(separatedBy: ":").count == size)
            #expect(number.hasPrefix(kind == .type3 ? "02" : "04"))
        }
    }

    @MainActor @Suite struct CardShapeTests {
        static let application: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]

        let reader = CardReader()
        let events = Events<String>()

        private func run(_ job: @escaping CardJob) async throws -> String {
            reader.run(job) { [events] result in
                switch result {
                case .success(let data): events.record(data.hexString)
                case .failure(let error): events.record(error.localizedDescription)
                }
            }
            return try await events.next()
        }

        private func inNDEFFile(_ job: @escaping CardJob) -> CardJob {
            return { card, completion in
                card.select(aid: Self.application) { result in
                    guard case .success = result else { return completion(result) }
                    card.select(file: 0xE104) { result in
                        guard case .success = result else { return completion(result) }
                        job(card, completion)
                    }
                }
            }
        }

        @Test func aFileIsSelectedAndRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make(text: "a card")])
            let data = try await run(inNDEFFile { $0.readBinary(offset: 0, length: 9, completion: $1) })
            #expect(data == "000d" + "d1010954" + "02656e")
        }

        @Test func aStatusIsNoErrorOfTheReader() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make()])
            #expect(try await run { $0.select(aid: [0xA0, 0, 0, 0, 3], completion: $1) } == "Card error 6A82")
        }

        /// An extended Le requests one byte more than a short one can.
        @Test func anExtendedLengthReadsMore() async throws {
            var configuration = Type4Configuration()
            configuration.mle = 0x1000
            let written = Data((0..<255).map { UInt8($0) })
            _ = try Bench.reader(with: [
                VirtualType4Tag(nfcID1: [0x04, 1, 2, 3, 4, 5, 6], configuration: configuration)
            ])
            let answer = try await run(
                inNDEFFile { card, completion in
                    card.updateBinary(offset: 2, data: written) { result in
                        guard case .success = result else { return completion(result) }
                        card.readBinary(offset: 0, length: 257, completion: completion)
                    }
                })
            #expect(answer == "0000" + written.hexString)
        }

        /// More data than fits into one of the reader's frames is sent as a chain, which this card does not support.
        @Test func anExtendedCommandBeyondAFrameIsChained() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4v3.make()])
            let answer = try await run(
                inNDEFFile { $0.updateBinary(offset: 4, data: Data(count: 300), completion: $1) })
            #expect(answer == "Card error 6E00")
        }

        /// A card without command chaining reports this in its status, which the app gets.
        @Test func aChainedCommandReachesTheCard() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make()])
            let data = Data(repeating: 0xAA, count: 300)
            let answer = try await run(
                inNDEFFile { $0.sendChained(instruction: 0xD6, p1: 0, p2: 2, data: data, completion: $1) })
            #expect(answer == "Card error 6E00")
        }

        @Test func aStickerIsNoCard() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make()])
            let answer = try await run { $0.select(aid: [], completion: $1) }
            #expect(answer == "This card is not supported.")
        }

        @Test func theAsyncFormsReadAFile() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type4.make(text: "async")])
            let data = try await TaskCardReader().file()
            #expect(data == Data([0xD1, 0x01, 0x08, 0x54, 0x02, 0x65, 0x6E]) + Data("async".utf8))
        }
    }

    @MainActor @Suite struct TransitShapeTests {
        let reader = TransitReader()
        let events = Events<String>()

        init() {
            reader.completionHandler = { [events] card, error in
                if let card = card {
                    let blocks = card.blocks.map(\.hexString).joined(separator: " ")
                    events.record("\(card.idm) \(card.systemCode) \(card.pmm.count) \(blocks)")
                } else {
                    events.record(error?.localizedDescription ?? "nothing")
                }
            }
        }

        @Test func blocksAreWrittenAndRead() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.type3.make()])
            let block = Data(0..<16)
            reader.blockToWrite = block
            reader.beginScanning()
            let card = try await events.next()
            #expect(card.hasPrefix("02fe"))
            #expect(card.contains(" 12fc 16 "))
            #expect(card.hasSuffix(" " + block.hexString))
        }

        @Test func withoutATagTheSessionIsCanceled() async throws {
            _ = try Bench.reader()
            reader.beginScanning()
            reader.session?.invalidate()
            #expect(try await events.next() == "  0 ")
        }
    }
}

@Suite struct SwitchShapeTests {
    @Test func everyCaseIsReached() {
        #expect((0...500).compactMap(NFCReaderError.Code.init(rawValue:)).filter(\.isTransceiveError).count == 6)
        #expect(NFCReaderError.Code.readerSessionInvalidationErrorUserCanceled.title == "Canceled")
        #expect(NFCReaderError.Code.readerErrorRadioDisabled.title == "Error 6")
        #expect((0...9).compactMap(NFCMiFareFamily.init(rawValue:)).map(SwitchShapes.name).last == "DESFire")
        #expect((0...9).compactMap(NFCNDEFStatus.init(rawValue:)).map(SwitchShapes.name).count == 3)
        #expect((0...9).compactMap(NFCTypeNameFormat.init(rawValue:)).map(SwitchShapes.name).count == 7)
        #expect(
            (0...99).compactMap(NFCFeliCaPollingTimeSlot.init(rawValue:)).map(SwitchShapes.slots) == [1, 2, 4, 8, 16])
        #expect(SwitchShapes.name(NFCFeliCaEncryptionId.AES_DES) == "AES/DES")
        #expect(SwitchShapes.name(NFCFeliCaPollingRequestCode.noRequest) == "none")
        #expect(SwitchShapes.name(NFCVASResponse.ErrorCode.wrongLCField) == "wrong")
        #expect(SwitchShapes.name(NFCVASCommandConfiguration.Mode.urlOnly) == "URL")
    }
}

extension ClientTests {
    @MainActor @Suite struct IdiomShapeTests {
        final class Reader: BaseTagReader {
            let events = Events<String>()

            override func handle(_ tag: NFCTag) { events.record("connected \(SwitchShapes.name(tag))") }

            override func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
                super.tagReaderSession(session, didInvalidateWithError: error)
                events.record("\(lastError?.rawValue ?? 0) \(session.alertMessage)")
            }
        }

        let reader = Reader()

        @Test func aBaseClassWithAProtocolOfItsOwnReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.ntag213.make(text: "idiom")])
            #expect(SessionIdioms.isAvailable)
            reader.beginSession()
            #expect(try await reader.events.next() == "connected MIFARE")
            #expect(try await reader.events.next() == "200 ")
            #expect(reader.lastError == .readerSessionInvalidationErrorUserCanceled)
        }

        @Test func aSessionOfUnknownKindIsStopped() async throws {
            _ = try Bench.reader()
            reader.beginSession(.iso14443)
            try await until { reader.session?.isReady == true }
            reader.session.map(SessionIdioms.restart)
            SessionIdioms.stop(reader.session, because: "Enough")
            #expect(try await reader.events.next() == "200 Enough")
        }

        /// The reader does not support ISO 15693 tags.
        @Test func vicinityCardsAreNotSupported() async throws {
            _ = try Bench.reader()
            reader.beginSession(.iso15693)
            #expect(try await reader.events.next() == "1 Hold")
        }
    }
}
