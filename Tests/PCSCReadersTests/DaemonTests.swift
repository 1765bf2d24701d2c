// PCSCReader on the real pcscd, with virtual readers

import Chance
import Dispatch
import Foundation
import Glibc
import Logging
import ReaderInterface
import Testing
import VirtualPCSC
import VirtualPN532

@testable import PCSCReaders

struct Desk {
    let virtual: VirtualPCSCReader
    let daemon: PrivatePCSCDaemon
    let queue = DispatchQueue(label: "PCSCReadersTests")
    let reader: PCSCReader

    init(_ model: PCSCReaderModel = .acr1552u, _ tags: any VirtualContactlessCard...) throws {
        virtual = VirtualPCSCReader(model: model, tags: tags)
        daemon = try PrivatePCSCDaemon(readers: [virtual])
        daemon.serveThisProcess()
        reader = try PCSCReader(
            connection: "pcsc:\(model.driverName)", queue: queue, logger: Logger(label: "test"))
    }

    func close() {
        onQueue { reader.close() }
        daemon.stop()
    }

    func onQueue<Value>(_ work: () throws -> Value) rethrows -> Value { try queue.sync(execute: work) }

    /// Polls until a target is present, at most for 1 s.
    func target() throws -> Target {
        for _ in 0..<4 {
            if let found = try onQueue({ try reader.poll(for: Technology.allCases) }).first { return found }
        }
        throw ReaderError.tagLost
    }

    /// Polls until a target is present, at most for 20 s.
    func patientTarget() throws -> NFCATarget {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            let found = try onQueue { try reader.poll(for: [.nfcA]) }.first
            if case .nfcA(let target)? = found { return target }
            usleepALittle()
        }
        throw ReaderError.tagLost
    }

    func channel() throws -> any TagChannel {
        let target = try target()
        return try onQueue { try reader.connect(to: target) }
    }
}

/// Each test has a separate daemon.
///
/// The tests run one at a time, because libpcsclite finds the daemon through the environment.
@Suite(.serialized, .oneAtATime, .offThePool, .enabled(if: PrivatePCSCDaemon.isAvailable)) struct DaemonTests {
    private static func tag() -> VirtualISO15693Tag { VirtualISO15693Tag(chip: .icodeSLIX2) }

    @Test func aReaderIsOpenedByTheBeginningOfItsName() throws {
        let desk = try Desk()
        defer { desk.close() }
        #expect(desk.reader.connection == "pcsc:ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC]")
        #expect(desk.reader.dialect == .acr1552U)
        #expect(try PCSCReader.listed().map(\.connection) == [desk.reader.connection])
        #expect(throws: ReaderError.noReader(connection: "pcsc:Nothing")) {
            try PCSCReader(connection: "pcsc:Nothing", queue: desk.queue, logger: Logger(label: "test"))
        }
    }

    @Test func aTagIsFoundByItsInsertionAndReadAndWritten() throws {
        let desk = try Desk()
        defer { desk.close() }
        #expect(try desk.onQueue { try desk.reader.poll(for: [.nfcV]) }.isEmpty)
        let tag = Self.tag()
        desk.virtual.place(tag)
        let target = try desk.target()
        guard case .nfcV(let vicinity) = target else {
            Issue.record("no NFC-V target: \(target)")
            return
        }
        #expect(vicinity.uid.first == 0xE0)
        // No exchange is needed to find the same tag again.
        let transmits = desk.virtual.transmits
        for _ in 0..<3 { #expect(try desk.target() == target) }
        #expect(try desk.onQueue { try desk.reader.poll(for: [.nfcA]) }.isEmpty)
        #expect(desk.virtual.transmits == transmits)
        let channel = try desk.channel()
        let uid = Array(vicinity.uid.reversed())
        try desk.onQueue {
            #expect(try channel.transceive([0x22, 0x21] + uid + [5, 1, 2, 3, 4], framing: .raw) == [0])
            #expect(try channel.transceive([0x22, 0x20] + uid + [5], framing: .raw) == [0, 1, 2, 3, 4])
            #expect(try channel.transceive([0x62, 0x20] + uid + [5], framing: .raw) == [0, 0, 1, 2, 3, 4])
            #expect(try desk.reader.presence(of: channel) == .continuous)
            try channel.reselect()
            #expect(try channel.transceive([0x22, 0x20] + uid + [5], framing: .raw) == [0, 1, 2, 3, 4])
        }
        #expect(Array(tag.contents[20..<24]) == [1, 2, 3, 4])
        // The tag answers after a power-up.
        let again = try desk.onQueue { try desk.reader.powerUp(target) }
        #expect(try desk.onQueue { try again.transceive([0x02, 0x20, 5], framing: .raw) } == [0, 1, 2, 3, 4])
        desk.virtual.remove()
        #expect(throws: ReaderError.tagLost) {
            try desk.onQueue {
                do { _ = try again.transceive([0x02, 0x20, 5], framing: .raw) } catch ReaderError.noAnswer {}
                try again.reselect()
            }
        }
        #expect(try desk.onQueue { try desk.reader.presence(of: again) } == .absent)
    }

    /// pcscd may see both events at once, and counts neither of them in that case.
    @Test func aTagThatTakesThePlaceOfAnotherAtOnceIsNotTakenForIt() throws {
        let desk = try Desk(.acr1552u, Self.tag())
        defer { desk.close() }
        for serial in UInt16(2)...9 {
            let channel = try desk.channel()
            try desk.onQueue { _ = try channel.transceive([0x02, 0x20, 5], framing: .raw) }
            desk.virtual.remove()
            desk.virtual.place(VirtualISO15693Tag(chip: .icodeSLIX2, serial: serial))
            // An answer less than 0.25 s ago counts as evidence that the tag is present.
            usleep(300_000)
            #expect(try desk.onQueue { try desk.reader.presence(of: channel) } == .absent, "\(serial)")
        }
    }

    @Test(arguments: PCSCFaults.PullReport.allCases)
    func aTagThatIsPulledDuringACommandIsGoneHoweverTheDriverSaysSo(report: PCSCFaults.PullReport) throws {
        let desk = try Desk(.acr1552u, Self.tag())
        defer { desk.close() }
        let channel = try desk.channel()
        try desk.onQueue {
            _ = try channel.transceive([0x02, 0x20, 5], framing: .raw)
            desk.virtual.faults.pullReport = report
            desk.virtual.faults.pull = 1
            // The tag may stay silent at first, so that it cannot be activated.
            #expect(throws: ReaderError.tagLost) {
                do { _ = try channel.transceive([0x02, 0x20, 5], framing: .raw) } catch ReaderError.noAnswer {}
                try channel.reselect()
            }
            #expect(try desk.reader.presence(of: channel) == .absent)
        }
        // It comes back.
        desk.virtual.faults = PCSCFaults()
        desk.virtual.place(Self.tag())
        let back = try desk.channel()
        #expect(try desk.onQueue { try back.transceive([0x02, 0x20, 5], framing: .raw) }.first == 0)
    }

    @Test func aReaderThatIsUnpluggedIsGoneAndComesBack() throws {
        let desk = try Desk(.acr1552u, Self.tag())
        defer { desk.close() }
        let channel = try desk.channel()
        desk.virtual.unplug()
        let fault = #expect(throws: ReaderError.self) {
            for _ in 0..<50 {
                try desk.onQueue {
                    do { _ = try channel.transceive([0x02, 0x20, 5], framing: .raw) } catch ReaderError.noAnswer {
                    } catch ReaderError.tagLost {}
                    _ = try desk.reader.poll(for: [.nfcV])
                }
            }
        }
        guard case .readerFailed(_, _, _, .unplugged)? = fault else {
            Issue.record("not unplugged: \(String(describing: fault))")
            return
        }
        try desk.virtual.plug()
        var reopened: PCSCReader?
        for _ in 0..<200 where reopened == nil {
            reopened = try? PCSCReader(
                connection: desk.reader.connection, queue: desk.queue, logger: Logger(label: "test"))
            if reopened == nil { usleepALittle() }
        }
        let reader = try #require(reopened)
        desk.onQueue { reader.close() }
    }

    /// With `isLost`, the connection to the first tag ended while the reader was unplugged.
    @Test(arguments: [false, true])
    func anotherTagIsFoundIfTheReaderWasPluggedInAgainBetweenTwoCalls(isLost: Bool) throws {
        let desk = try Desk(.acr1552u, VirtualISO15693Tag(chip: .icodeSLIX2, serial: 1))
        defer { desk.close() }
        let first = try desk.target()
        let channel = try desk.onQueue { try desk.reader.connect(to: first) }
        let names = try PCSCReader.names(unlike: nil, within: .zero)
        desk.virtual.unplug()
        #expect(try PCSCReader.names(unlike: names, within: .seconds(5)).isEmpty)
        if isLost { desk.onQueue { desk.reader.endChannel() } }
        #expect(desk.onQueue { desk.reader.card == nil } == isLost)
        desk.virtual.remove()
        desk.virtual.place(VirtualISO15693Tag(chip: .icodeSLIX2, serial: 2))
        try desk.virtual.plug()
        #expect(try PCSCReader.names(unlike: [], within: .seconds(5)) == names)
        let context = try SmartCardContext()
        for _ in 0..<200 where try !context.state(of: names[0]).isPresent { usleepALittle() }
        // pcscd does not always count the end of the old reader. If it does not, both tags have the same number of
        // events.
        let events = try context.state(of: names[0]).events
        desk.onQueue { desk.reader.sighting = PCSCReader.Sighting(events: events, target: first, time: .now) }
        #expect(try desk.onQueue { try desk.reader.presence(of: channel) } == .absent)
        let second = try desk.target()
        #expect(second != first)
        #expect(try desk.onQueue { try desk.reader.connect(to: second).target } == second)
    }

    /// pcscd cuts the power of a card that no program uses.
    ///
    /// The next connection powers it up again.
    @Test func aTagThatDoesNotAnswerAtTheFirstConnectionIsFoundLater() throws {
        let desk = try Desk(.acr1552u, VirtualTagKind.ntag213.make())
        defer { desk.close() }
        // pcscd waits 5 s before it cuts the power.
        Thread.sleep(forTimeInterval: 6)
        desk.virtual.faults.failedPowerUps = 2
        let target = try desk.patientTarget()
        #expect(target.selRes == 0x00)
    }

    /// pcscd calls such a card mute, and does not try again by itself.
    @Test func aTagThatDoesNotAnswerAtFirstIsFoundLater() throws {
        let desk = try Desk(.acr1552u)
        defer { desk.close() }
        desk.virtual.faults.failedPowerUps = 2
        desk.virtual.place(VirtualTagKind.ntag213.make())
        let context = try SmartCardContext()
        let name = try #require(try context.readers().first)
        var state = try context.state(of: name)
        for _ in 0..<20 where !state.isPresent {
            state = try context.state(of: name, unlike: state, milliseconds: 1_000)
        }
        let mute: UInt32 = 0x0200  // SCARD_STATE_MUTE
        #expect(state.bits & mute != 0)
        // With the answer to reset from before the connection, it would be taken for an ISO-DEP card.
        let target = try desk.patientTarget()
        #expect(target.selRes == 0x00)
    }

    @Test func aDaemonThatEndsIsAReaderThatFailed() throws {
        let desk = try Desk(.acr1552u, Self.tag())
        defer { desk.close() }
        let channel = try desk.channel()
        desk.daemon.kill()
        #expect(throws: ReaderError.self) {
            try desk.onQueue { try channel.transceive([0x02, 0x20, 5], framing: .raw) }
        }
        let fault = #expect(throws: ReaderError.self) { try desk.onQueue { try desk.reader.poll(for: [.nfcV]) } }
        #expect(fault?.kind == .readerGone)
        #expect(throws: ReaderError.self) {
            try PCSCReader(connection: desk.reader.connection, queue: desk.queue, logger: Logger(label: "test"))
        }
        try desk.daemon.restart()
        let again = try PCSCReader(
            connection: desk.reader.connection, queue: desk.queue, logger: Logger(label: "test"))
        desk.onQueue { again.close() }
    }

    @Test func allReadersOfADaemonAreListed() throws {
        let models = [PCSCReaderModel.acr1552u, .omnikey5022, .acr122u]
        let daemon = try PrivatePCSCDaemon(readers: models.map { VirtualPCSCReader(model: $0) })
        defer { daemon.stop() }
        daemon.serveThisProcess()
        var names: [String] = []
        for _ in 0..<100 where names.count < models.count {
            names = try PCSCReader.listed().map(\.connection)
            usleepALittle()
        }
        for model in models {
            #expect(
                names.contains { $0.hasPrefix("pcsc:\(model.driverName)") },
                "\(names)")
        }
    }

    @Test func anAbortEndsAPollAtOnce() throws {
        let desk = try Desk()
        defer { desk.close() }
        let start = ContinuousClock.now
        let fault = #expect(throws: ReaderError.self) {
            DispatchQueue.global().async { desk.reader.abort() }
            for _ in 0..<100 { try desk.onQueue { _ = try desk.reader.poll(for: [.nfcV]) } }
        }
        #expect(fault == .aborted)
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func anotherProgramWaitsWhileATagIsWorkedWithAndIsLetInAfterwards() throws {
        let desk = try Desk(.acr1552u, Self.tag())
        defer { desk.close() }
        let other = try PCSCReader(
            connection: desk.reader.connection, queue: desk.queue, logger: Logger(label: "test"))
        let channel = try desk.channel()
        _ = try desk.onQueue { try channel.transceive([0x02, 0x20, 5], framing: .raw) }
        try desk.onQueue {
            #expect(throws: ReaderError.busy(connection: other.connection, holder: nil)) {
                guard let target = try other.poll(for: [.nfcV]).first else { throw ReaderError.tagLost }
                _ = try other.connect(to: target)
            }
            // The other program gets access when the connection ends.
            _ = try desk.reader.poll(for: [.nfcV])
            let target = try #require(try other.poll(for: [.nfcV]).first)
            let channel = try other.connect(to: target)
            #expect(try channel.transceive([0x02, 0x20, 5], framing: .raw).first == 0)
            other.close()
        }
    }

    /// Each program resets the card at the end, and the other program's open connection must survive this.
    @Test(arguments: [PCSCReaderModel.acr1552u, .acr122u])
    func twoProgramsTakeTurnsWithACard(model: PCSCReaderModel) throws {
        let desk = try Desk(model, VirtualTagKind.ntag213.make())
        defer { desk.close() }
        let other = try PCSCReader(
            connection: desk.reader.connection, queue: desk.queue, logger: Logger(label: "test"))
        defer { desk.onQueue { other.close() } }
        let target = try desk.target()
        for _ in 0..<3 {
            for reader in [desk.reader, other] {
                try desk.onQueue {
                    #expect(try reader.poll(for: [.nfcA]).first == target)
                    let channel = try reader.connect(to: target)
                    #expect(try channel.transceive([0x30, 0x00], framing: .raw).count == 16)
                    #expect(try reader.poll(for: [.nfcA]).first == target)
                }
            }
        }
    }
}

/// Waits for 10 ms.
private func usleepALittle() {
    DispatchQueue(label: "pause").sync { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.01) }
}
