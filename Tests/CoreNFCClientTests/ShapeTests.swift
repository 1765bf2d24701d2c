// Code as apps write it compiles unedited, and works as on an iPhone

import CoreNFC
import Testing
import VirtualPN532

@Suite struct ErrorShapeTests {
    @Test(arguments: [200, 201, 203, 204, 100])
    func everyWayToTakeAnErrorApartFindsItsCode(_ code: Int) throws {
        let error: Error = NFCReaderError(try #require(NFCReaderError.Code(rawValue: code)))
        #expect(ErrorShapes.all.map { $0(error) } == Array(repeating: code, count: ErrorShapes.all.count))
        #expect(ErrorShapes.isWorthShowing(error) == (code != 200 && code != 204))
        #expect(ErrorShapes.made(try #require(NFCReaderError.Code(rawValue: code))) == error as? NFCReaderError)
    }

    @Test func anErrorOfAnotherDomainOrCodeIsKeptUnderOurs() {
        for foreign in [NSError(domain: "other", code: 200), NSError(domain: NFCErrorDomain, code: 9999)] {
            #expect(foreign as? NFCReaderError == nil)
            let error = NFCReaderError(_nsError: foreign)
            #expect(error.code == .readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
            #expect(error.userInfo[NSUnderlyingErrorKey] as? NSError == foreign)
        }
    }

    @Test func anotherErrorIsNotTakenForOurs() {
        let error: Error = NSError(domain: "other", code: 9999)
        #expect(ErrorShapes.all.dropFirst().map { $0(error) }.allSatisfy { $0 == 0 })
        #expect(ErrorShapes.text(error) == "Unknown")
    }

    @Test func anErrorShowsItsDomainCodeAndText() {
        let error = NFCReaderError(.readerTransceiveErrorTagNotConnected)
        #expect(ErrorShapes.text(error) == "NFCError 104: Tag is not connected 1")
        #expect(ErrorShapes.AppError.nfc(error).localizedDescription == "Tag is not connected")
        #expect(ErrorShapes.AppError.nfc(error) != .noTag)
    }
}

@Suite struct PayloadShapeTests {
    @Test func recordsAreDescribedAsAppsDescribeThem() {
        let language = Locale.current.language.languageCode?.identifier ?? "en"
        #expect(
            PayloadShapes.texts(PayloadShapes.messages()) == [
                "0: NFC Well Known type: U, https://www.example.com/", "1: T, Hello, en", "2: Media type: text/plain",
                "3: T, Heute, \(language)", "4: NFC Well Known type: U, tel:+15551234567", "0: NFC External type",
                "1: T, by hand, en",
            ])
    }

    @Test func messagesComeBackFromAnArchive() throws {
        for message in PayloadShapes.messages() {
            let copy = try #require(try PayloadShapes.archived(message))
            #expect(PayloadShapes.texts([copy]) == PayloadShapes.texts([message]))
            #expect(copy.length == message.length)
        }
        #expect(PayloadShapes.lengths(PayloadShapes.messages()).suffix(2) == [35, 0])
    }

    @Test func aTextCutOutByHandIsTheText() throws {
        let payload = NFCNDEFPayload.wellKnownTypeTextPayload(string: "né", locale: Locale(identifier: "fr"))
        #expect(try #require(payload).textByHand == "né")
    }
}

@Suite struct MockShapeTests {
    @Test func aMockWithHandlersServesTheAsyncForms() async throws {
        let tag = MockTag()
        #expect(
            await #expect(throws: NFCReaderError.self) { try await Service().read(from: tag) }?.code.rawValue == 403)
        let payload = NFCNDEFPayload.wellKnownTypeTextPayload(string: "mock", locale: Locale(identifier: "en"))
        try await tag.writeNDEF(NFCNDEFMessage(records: [payload].compactMap { $0 }))
        #expect(try await Service().read(from: tag) == ["mock"])
        try await tag.writeLock()
        #expect(try await tag.queryNDEFStatus().0 == .readOnly)
        tag.writeError = NFCReaderError(.ndefReaderSessionErrorTagNotWritable)
        await #expect(throws: NFCReaderError.self) { try await tag.writeNDEF(NFCNDEFMessage(records: [])) }
    }
}

extension ClientTests {
    @MainActor @Suite struct SessionShapeTests {
        let events = Events<String>()

        private func perform(_ action: SharedReader.Action) {
            SharedReader.performAction(action) { [events] result in
                switch result {
                case .success(let message): events.record("\(message?.records.count ?? 0) records")
                case .failure(let error): events.record(error.localizedDescription)
                }
            }
        }

        @Test func aSharedReaderReadsErasesAndLocks() async throws {
            let tag = VirtualTagKind.demonstration()
            _ = try Bench.reader(with: [tag])
            perform(.readMessage)
            #expect(try await events.next() == "2 records")
            perform(.erase)
            #expect(try await events.next() == "0 records")
            perform(.readMessage)
            #expect(try await events.next() == "NDEF tag does not contain any NDEF message")
            perform(.lock)
            #expect(try await events.next() == "0 records")
            perform(.erase)
            #expect(try await events.next() == "Read-only")
        }

        @Test func aContinuationGetsTheMessages() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            #expect(try await AsyncReader().messages().map(\.records.count) == [2])
        }

        @Test func theAsyncFormsWriteReadAndLock() async throws {
            let tag = VirtualTagKind.ntag213.make()
            _ = try Bench.reader(with: [tag])
            let reader = TaskReader()
            reader.onText = { [events] in events.record($0) }
            reader.textToWrite = "Straße"
            reader.locks = true
            reader.scan()
            #expect(try await events.next() == "Straße")
            #expect(try await events.next() == "ended: 200")
            let alerts = Events<String>()
            reader.scan()
            reader.session?.showAlerts(to: alerts)
            #expect(try await events.next() == "ended: 200")
            #expect(alerts.all == ["Read-only"])
        }

        @Test func aViewControllerReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let controller = ViewController()
            controller.onEnd = { [events] in events.record("ended") }
            controller.scan()
            try await events.wait(for: "ended")
            #expect(!controller.isScanning)
        }

        @Test func aControllerIsolatedByItsBaseClassReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let controller = TableController()
            controller.onRow = { [events] in events.record($0) }
            controller.scan()
            #expect(try await events.next() == "First NDEF tag read")
            #expect(controller.rows == ["2"])
        }

        @Test func aButtonsCoordinatorReads() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            var button = ScanButton(coordinator: ScanButton.Coordinator { [events] in events.record($0) })
            button.tap()
            // The status byte and the language are included, as on iOS.
            #expect(try await events.next() == "\u{02}enHello from nfctool")
            #expect(try await events.next() == "The session was invalidated: First NDEF tag read")
        }

        @Test func aWrapperAndItsSubclassGetEveryCall() async throws {
            _ = try Bench.reader(with: [VirtualTagKind.demonstration()])
            let wrapper = LoudWrapper(didBecomeActive: { [events] _ in events.record("active") }) { [events] in
                switch $1 {
                case .success(let message): events.record("\(message?.records.count ?? 0) records")
                case .failure(let error): events.record("\(error.errorCode) \($0.session?.alertMessage ?? "")")
                }
            }
            wrapper.begin()
            #expect(try await events.next() == "active")
            #expect(try await events.next() == "2 records")
            #expect(try await events.next() == "204 Found 1")
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct CardShapeTests {
    @Test func anAppIsACard() async throws {
        let (air, card) = try Antenna.pair()
        let reader = try VirtualReader(antenna: card)
        let phone = Thread {
            let phone = VirtualPhone(antenna: air)
            do {
                _ = try phone.activate()
                let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x05, 0xF0, 0x01, 0x02, 0x03, 0x04, 0x00]
                #expect(try phone.transceive(select) == [0x90, 0x00])
                #expect(try phone.transceive([0x00, 0xB0, 0x00, 0x00, 0x00]) == [0x6A, 0x82])
            } catch {
                Issue.record(error)
            }
            phone.leave()
        }
        let app = CardShape()
        phone.start()
        await app.run { try await CardSession(readerSpecification: reader.connection) }
        #expect(app.log == ["started", "reader", "command of 11", "command of 5", "ended"])
    }

    @Test func withoutAReaderThereIsNoCard() async throws {
        let app = CardShape()
        await app.run { try await CardSession(readerSpecification: "pn532_uart:/dev/nosuch") }
        #expect(app.log == ["failed: systemNotAvailable"])
    }
}
