// Card sessions over the real libnfc, with a virtual phone or a second virtual reader on the other side

import CoreNFC
import Foundation
import Synchronization
import TagTypes
import Testing
import VirtualPN532

@Suite(.serialized, .timeLimit(.minutes(5))) struct CardSessionTests {
    /// A URI record, https://example.com.
    private static let message: [UInt8] = [0xD1, 0x01, 0x0C, 0x55, 0x04] + Array("example.com".utf8)
    private static let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]

    @Test func aPhoneReadsTheCard() async throws {
        let bench = try await CardBench()
        let program = CardProgram(bench.session, try EmulatedType4Tag(message: Self.message))
        #expect(try await program.events.next() == "started")
        let card = try await bench.phone.run { try $0.activate() }
        #expect(card.nfcID1 == [0x08, 1, 2, 3])
        #expect(card.selRes == 0x20)
        let read = try await bench.phone.run { phone in
            defer { phone.leave() }
            return try phone.readNDEF()
        }
        #expect(read == Self.message)
        try await program.events.wait(for: "deselected")
        bench.session.invalidate()
        try await program.events.wait(for: "invalidated")
    }

    @Test(arguments: [1, 253, 254, 255, 600, 4000])
    func aPhoneWritesTheCardAndTheNextReadsIt(length: Int) async throws {
        let bench = try await CardBench()
        let program = CardProgram(
            bench.session, try EmulatedType4Tag(message: Self.message, isWritable: true, capacity: 4000))
        let new = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        try await bench.phone.run { phone in
            try phone.writeNDEF(new)
            phone.leave()
        }
        #expect(program.tag.withLock { $0.message } == new)
        #expect(try await bench.phone.run { try $0.readNDEF() } == new)
        bench.session.invalidate()
        try await program.events.wait(for: "invalidated")
    }

    @Test func anotherReadersSessionReadsTheCard() async throws {
        let (air, card) = try Antenna.pair()
        let cardReader = try VirtualReader(antenna: card)
        let session = try await CardSession(readerSpecification: cardReader.connection)
        let program = CardProgram(session, try EmulatedType4Tag(message: Self.message))
        let otherReader = try VirtualReader(antenna: air)
        let delegate = TagDelegate()
        let reading = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
        reading.readerSpecification = otherReader.connection
        reading.begin()
        var tag: SessionTag?
        while tag == nil { tag = try await delegate.events.next().tags?.first }
        let found = try #require(tag)
        try await reading.connect(to: found)
        let (status, capacity) = try await found.queryNDEFStatus()
        #expect(status == .readOnly)
        #expect(capacity == Self.message.count)
        #expect(
            try await found.readNDEF().records.first?.wellKnownTypeURIPayload()?.absoluteString == "https://example.com"
        )
        reading.invalidate()
        try await delegate.events.wait(for: .ended(200))
        session.invalidate()
        try await program.events.wait(for: "invalidated")
    }

    @Test func theFirstCommandWaitsForTheStart() async throws {
        let bench = try await CardBench()
        let events = bench.session.eventStream.makeAsyncIterator()
        guard case .sessionStarted = try await events.next() else { throw Unexpected() }
        #expect(await !bench.session.isEmulationInProgress)
        async let answer = bench.phone.run { phone in
            _ = try phone.activate()
            return try phone.transceive(Self.select)
        }
        guard case .readerDetected = try await events.next() else { throw Unexpected() }
        try await bench.session.startEmulation()
        #expect(await bench.session.isEmulationInProgress)
        guard case .received(let apdu) = try await events.next() else { throw Unexpected() }
        #expect(apdu.payload == Data(Self.select))
        try await apdu.respond(response: Data([0x6A, 0x82]))
        #expect(try await answer == [0x6A, 0x82])
        // The command has already been answered.
        await #expect(throws: CardSession.Error.transmissionError) {
            try await apdu.respond(response: Data([0x90, 0x00]))
        }
        bench.session.invalidate()
    }

    @Test func aPhoneThatOnlyLooksComesAndGoes() async throws {
        let bench = try await CardBench()
        let program = CardProgram(bench.session, try EmulatedType4Tag(message: Self.message))
        for _ in 1...3 {
            _ = try await bench.phone.run { try $0.activate() }
            try await program.events.wait(for: "detected")
            try await bench.phone.run { $0.leave() }
            try await program.events.wait(for: "deselected")
        }
        bench.session.invalidate()
        try await program.events.wait(for: "invalidated")
        let round = ["detected", "deselected"]
        #expect(program.events.all == ["started"] + round + round + round + ["invalidated"])
    }

    /// The answer comes after the longest frame waiting time of ISO/IEC 14443-4.
    @Test func anAnswerThatComesTooLateIsNotSent() async throws {
        let bench = try await CardBench()
        let apdu = try await pendingCommand(bench)
        let events = bench.session.eventStream.makeAsyncIterator()
        guard case .readerDeselected = try await events.next() else { throw Unexpected() }
        await #expect(throws: CardSession.Error.transmissionError) {
            try await apdu.respond(response: Data([0x90, 0x00]))
        }
        bench.session.invalidate()
        while let event = try await events.next() {
            if case .sessionInvalidated(let reason) = event { #expect(reason == .invalidated) }
        }
    }

    @Test func anAnswerThatIsTooLongMayBeTriedAgain() async throws {
        let bench = try await CardBench()
        let apdu = try await pendingCommand(bench)
        await #expect(throws: CardSession.Error.transmissionError) {
            try await apdu.respond(response: Data(count: 263))
        }
        try await apdu.respond(response: Data(count: 262))
        bench.session.invalidate()
    }

    @Test func aCardThatWasStoppedDoesNotAnswer() async throws {
        let bench = try await CardBench()
        let apdu = try await pendingCommand(bench)
        await bench.session.stopEmulation(status: .failure)
        #expect(await !bench.session.isEmulationInProgress)
        await #expect(throws: CardSession.Error.emulationStopped) {
            try await apdu.respond(response: Data([0x90, 0x00]))
        }
        bench.session.invalidate()
        await #expect(throws: CardSession.Error.invalidated) {
            try await apdu.respond(response: Data([0x90, 0x00]))
        }
        await #expect(throws: CardSession.Error.invalidated) { try await bench.session.startEmulation() }
    }

    @Test func theTimeOfAnEmulationIsLimited() async throws {
        let bench = try await CardBench(timeLimit: 0.05)
        let events = bench.session.eventStream.makeAsyncIterator()
        guard case .sessionStarted = try await events.next() else { throw Unexpected() }
        try await bench.session.startEmulation()
        guard case .sessionInvalidated(.maxSessionDurationReached) = try await events.next() else { throw Unexpected() }
        #expect(try await events.next() == nil)
        #expect(await !bench.session.isEmulationInProgress)
    }

    @Test func anUnpluggedReaderEndsTheSession() async throws {
        let bench = try await CardBench()
        let program = CardProgram(bench.session, try EmulatedType4Tag(message: Self.message))
        #expect(try await program.events.next() == "started")
        bench.reader.stop()
        #expect(try await program.events.next() == "systemNotAvailable")
    }

    @Test func aReaderThatIsNotThereOrTakenIsNotAvailable() async throws {
        await #expect(throws: CardSession.Error.systemNotAvailable) {
            _ = try await CardSession(readerSpecification: "pn532_uart:/dev/pts/none")
        }
        let bench = try await CardBench()
        await #expect(throws: CardSession.Error.systemNotAvailable) {
            _ = try await CardSession(readerSpecification: bench.reader.connection)
        }
        // The new session does not wait for the listening session, whose calls take long. It ends while the other one
        // still listens.
        let other = MessageDelegate()
        let session = NFCNDEFReaderSession(delegate: other, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = bench.reader.connection
        session.begin()
        session.invalidate()
        #expect(try await other.events.next() == .ended(203))
        bench.session.invalidate()
    }

    /// The reader arrived before the stop, but the program was not notified of it.
    @Test func aStopLeavesAReaderAloneOfWhichTheProgramDoesNotKnow() async throws {
        let bench = try await CardBench()
        try await bench.session.startEmulation()
        try await bench.phone.run { _ = try $0.activate() }
        await bench.session.stopEmulation(status: .success)
        try await bench.session.startEmulation()
        let answer = Task { try await bench.phone.run { try $0.transceive(Self.select) } }
        for try await event in bench.session.eventStream {
            guard case .received(let apdu) = event else { continue }
            try await apdu.respond(response: Data([0x90, 0x00]))
            break
        }
        #expect(try await answer.value == [0x90, 0x00])
        bench.session.invalidate()
    }

    @Test func sessionsLeaveNoDescriptors() async throws {
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let before = try descriptors()
        // Open the readers concurrently, because opening a reader is mostly waiting.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...4 {
                group.addTask {
                    let reader = try VirtualReader()
                    for number in 1...50 {
                        let session = try await CardSession(readerSpecification: reader.connection)
                        if number.isMultiple(of: 2) { try await session.startEmulation() }
                        // Some sessions end by themselves, because nothing holds them any more.
                        if !number.isMultiple(of: 3) { session.invalidate() }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Other tests run at the same time, but a leak would leave a descriptor for each session.
        try await until { (try? descriptors()).map { $0 < before + 100 } ?? false }
    }

    @Test func textsGoToTheHandler() async throws {
        let bench = try await CardBench()
        let texts = Events<String>()
        bench.session.alertHandler = { texts.record($0) }
        bench.session.alertMessage = "Hold it near the gate."
        #expect(try await texts.next() == "Hold it near the gate.")
        #expect(bench.session.alertMessage == "Hold it near the gate.")
        bench.session.invalidate()
    }

    @Test func anAssertionIsValidForItsTime() async throws {
        #expect(try await NFCPresentmentIntentAssertion.acquire().isValid)
    }

    /// Returns the phone's first command, in a session that has begun.
    private func pendingCommand(_ bench: CardBench) async throws -> CardSession.APDU {
        let events = bench.session.eventStream.makeAsyncIterator()
        try await bench.session.startEmulation()
        Task {
            try? await bench.phone.run { phone in
                _ = try phone.activate()
                _ = try? phone.transceive(Self.select)
            }
        }
        while let event = try await events.next() {
            if case .received(let apdu) = event { return apdu }
        }
        throw Unexpected()
    }

    struct Unexpected: Error {}
}
