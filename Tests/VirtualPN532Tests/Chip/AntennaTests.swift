// Tests of two coupled antennas

@preconcurrency import Glibc
import Testing

@testable import VirtualPN532

/// A minimal host of a chip on a serial port.
private final class Host {
    private let descriptor: Int32
    private var parser = HostFrameParser()

    init(_ path: String) { descriptor = open(path, O_RDWR | O_NOCTTY) }
    deinit { close(descriptor) }

    func send(_ command: String) {
        let bytes = HostFrame.information([0xD4] + octets(command)).encoded
        _ = write(descriptor, bytes, bytes.count)
    }

    func abort() {
        let bytes = HostFrame.ack.encoded
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Returns the next answer, after waiting for at most five seconds.
    func receive() -> String {
        while true {
            while let frame = parser.next() {
                if case .information(let data) = frame { return hex(data.dropFirst()) }
            }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 5000) == 1 else { return "nothing" }
            var buffer = [UInt8](repeating: 0, count: 300)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return "closed" }
            parser.append(buffer[..<count])
        }
    }

    func answer(_ command: String) -> String {
        send(command)
        return receive()
    }

    static let initAsTarget = "8C 05 \(AirBench.parameters)"
    static let found = "4B 01 01 00 04 20 04 08 00 B0 0B 05 75 33 92 03"
}

private struct Pair {
    let (initiator, target): (VirtualReader, VirtualReader)
    let (phone, card): (Host, Host)

    /// Makes the card's chip answer RATS and handle blocks itself: SetParameters, fISO14443-4_PICC.
    init() throws {
        let (one, other) = try Antenna.pair()
        (initiator, target) = try (VirtualReader(antenna: one), VirtualReader(antenna: other))
        (phone, card) = (Host(initiator.path), Host(target.path))
        #expect(card.answer("12 30") == "13")
    }

    /// The target waits, and the initiator finds and activates it.
    func activate() {
        card.send(Host.initAsTarget)
        #expect(phone.answer("4A 01 00") == Host.found)
        #expect(card.receive() == "8D 08 E0 50")
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct AntennaTests {
    private static func name(_ name: String) -> String { "test-\(getpid())-\(name)" }

    @Test func oneReaderIsATagInTheOthersField() throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        // The initiator waits for a tag before there is one.
        phone.send("4A 01 00")
        card.send(Host.initAsTarget)
        #expect(phone.receive() == Host.found)
        #expect(card.receive() == "8D 08 E0 50")
        phone.send("40 01 00 A4 04 00")
        #expect(card.answer("86") == "87 00 00 A4 04 00")
        card.send("8E" + String(repeating: " 77", count: 150))
        #expect(phone.receive() == "41 00" + String(repeating: " 77", count: 150))
        #expect(card.receive() == "8F 00")
        phone.send("44 01")
        #expect(card.answer("86") == "87 29")
        #expect(phone.receive() == "45 00")
        // The same two readers, with exchanged roles.
        #expect(phone.answer("12 30") == "13")
        phone.send(Host.initAsTarget)
        #expect(card.answer("4A 01 00") == Host.found)
        #expect(phone.receive() == "8D 08 E0 50")
    }

    @Test func theInitiatorGetsTimeForASlowCard() throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        pair.activate()
        pair.initiator.resetStatistics()
        phone.send("40 01 00 A4")
        #expect(card.answer("86") == "87 00 00 A4")
        // The card's host is busy until S(WTX) has arrived twice, after the I-block and after its own answer.
        for _ in 0..<100_000 where pair.initiator.statistics.rfFrames < 4 { _ = card.answer("02") }
        #expect(pair.initiator.statistics.rfFrames >= 4)
        #expect(card.answer("8E 90 00") == "8F 00")
        #expect(phone.receive() == "41 00 90 00")
    }

    @Test func aTagThatGoesIsLost() throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        pair.activate()
        phone.send("40 01 00 A4")
        #expect(card.answer("86") == "87 00 00 A4")
        // InRelease, as in libnfc's nfc_idle.
        #expect(card.answer("52 00") == "53 00")
        #expect(phone.receive() == "41 01")
        #expect(phone.answer("32 05 FF 01 00") == "33")
        #expect(phone.answer("4A 01 00") == "4B 00")
    }

    @Test func theInitiatorsFieldIsTheTargetsPower() throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        for end in ["32 01 00", "16 F0"] {
            pair.activate()
            card.send("86")
            _ = phone.answer(end)
            #expect(card.receive() == "87 29")
        }
        pair.activate()
        card.send("86")
        pair.initiator.stop()
        #expect(card.receive() == "87 29")
    }

    @Test func anAbortedTargetIsNoTag() throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        _ = phone.answer("32 05 FF 01 00")
        for _ in 0..<20 {
            card.send(Host.initAsTarget)
            card.abort()
            #expect(card.answer("02") == "03 32 01 06 07")
            #expect(phone.answer("4A 01 00") == "4B 00")
        }
    }

    /// The faults of the initiator's reader affect its target in the same way as a tag.
    @Test(arguments: 1...4) func faultsStrikeAtEachCommand(number: Int) throws {
        let pair = try Pair()
        let (phone, card) = (pair.phone, pair.card)
        var faults = Faults()
        faults.loss = number
        pair.initiator.faults = faults
        for lasting in [number, 6] {
            pair.activate()
            for _ in 0..<lasting {
                phone.send("40 01 00 A4")
                #expect(card.answer("86") == "87 00 00 A4")
                #expect(card.answer("8E 90 00") == "8F 00")
                #expect(phone.receive() == "41 00 90 00")
            }
            guard lasting == number else { continue }
            #expect(phone.answer("40 01 00 A4") == "41 01")
            #expect(card.answer("86") == "87 29")
            #expect(card.answer("52 00") == "53 00")
            pair.initiator.faults = Faults()
        }
    }

    // MARK: Names

    @Test func eitherMayComeFirstAndGoAndComeAgain() throws {
        let name = Self.name("again")
        let message = StockProgramTests.posterMessage
        for isReaderFirst in [true, false, true] {
            var reader = isReaderFirst ? try VirtualReader(antenna: Antenna(named: name)) : nil
            let phone = VirtualPhone(antenna: try Antenna(named: name))
            #expect(throws: VirtualPhoneError.noCard) { try phone.activate(within: .zero) }
            for _ in 0..<3 {
                let host = try reader ?? VirtualReader(antenna: Antenna(named: name))
                reader = nil
                let program = try StockProgramTests.Program(forumTag4On: host)
                #expect(try phone.readNDEF() == message)
                phone.leave()
                #expect(program.end().contains("Target Released"))
            }
        }
    }

    @Test func aPhoneMayComeAgain() throws {
        let name = Self.name("phones")
        let reader = try VirtualReader(antenna: Antenna(named: name))
        let host = Host(reader.path)
        _ = host.answer("12 30")
        for _ in 0..<20 {
            host.send(Host.initAsTarget)
            let phone = VirtualPhone(antenna: try Antenna(named: name))
            #expect(hex(try phone.activate().nfcID1) == "08 00 B0 0B")
            #expect(host.receive() == "8D 08 E0 80")
            #expect(phone.isCardPresent())
        }
    }

    @Test func namesKeepPairsApart() throws {
        let names = ["a", "b"].map(Self.name)
        let readers = try names.map { try VirtualReaderSpec(parsing: "?antenna=\($0)").makeReader() }
        for (index, reader) in readers.enumerated() {
            let host = Host(reader.path)
            _ = host.answer("12 30")
            let parameters = AirBench.parameters.replacing("B0 0B", with: "00 0\(index)")
            host.send("8C 05 \(parameters)")
            let phone = VirtualPhone(antenna: try Antenna(named: names[index]))
            #expect(hex(try phone.activate().nfcID1) == "08 00 00 0\(index)")
        }
    }

    @Test func aReaderHasTagsBesideItsAntenna() throws {
        let spec = try VirtualReaderSpec(parsing: "ntag213?antenna=\(Self.name("beside"))")
        #expect(spec.tags.count == 1)
        #expect(try VirtualReaderSpec(parsing: "?antenna=x").tags.isEmpty)
        let reader = try spec.makeReader()
        #expect(Host(reader.path).answer("4A 01 00").hasSuffix("04 10 57 1F 00 01 80"))
    }

    @Test(arguments: ["", String(repeating: "x", count: 65)]) func aNameHasALength(name: String) {
        let error = VirtualReaderError.badValue(
            option: "antenna", value: name, expected: "a name of 1 to 64 bytes")
        #expect(throws: error) { try VirtualReaderSpec(parsing: "?antenna=\(name)") }
        #expect(throws: error) { try Antenna(named: name) }
    }

    @Test func moreThanTwoWaitForTheirTurn() throws {
        let name = Self.name("many")
        let reader = try VirtualReader(antenna: Antenna(named: name))
        let host = Host(reader.path)
        _ = host.answer("12 30")
        var phones = try (0..<12).map { _ in VirtualPhone(antenna: try Antenna(named: name)) }
        for phone in phones { #expect(throws: VirtualPhoneError.noCard) { try phone.activate(within: .zero) } }
        // The order depends on when the reader accepted the first phone, which made room for another to wait.
        while !phones.isEmpty {
            host.send(Host.initAsTarget)
            let end = ContinuousClock.now + .seconds(10)
            var turn: (index: Int, card: VirtualPhone.Card)?
            while turn == nil, ContinuousClock.now < end {
                for (index, phone) in phones.enumerated() where turn == nil {
                    turn = (try? phone.activate(within: .milliseconds(20))).map { (index, $0) }
                }
            }
            let (index, card) = try #require(turn)
            #expect(hex(card.nfcID1) == "08 00 B0 0B")
            #expect(host.receive() == "8D 08 E0 80")
            phones.remove(at: index)
        }
    }

    @Test func noSocketsAreLeftBehind() throws {
        func count() -> Int {
            (0..<Int32(1024)).filter { descriptor in
                var status = stat()
                return fstat(CInt(descriptor), &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
            }.count
        }
        func session() throws {
            let name = Self.name("sockets")
            let reader = try VirtualReader(antenna: Antenna(named: name))
            let host = Host(reader.path)
            _ = host.answer("12 30")
            host.send(Host.initAsTarget)
            let phone = VirtualPhone(antenna: try Antenna(named: name))
            #expect(throws: Never.self) { try phone.activate() }
        }
        try session()
        let before = count()
        for _ in 0..<50 { try session() }
        // Other suites run at the same time, and use a few sockets.
        #expect(count() < before + 20)
    }
}
