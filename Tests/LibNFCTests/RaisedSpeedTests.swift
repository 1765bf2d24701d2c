// A serial line whose speed is raised while the reader is open — NXP UM0701-02, SetSerialBaudRate

import Dispatch
@preconcurrency import Glibc
import Logging
import ReaderInterface
import Testing
import USBReaders
import VirtualPN532

@testable import LibNFC

@Suite struct RaisedSpeedTests {
    private static let setSerialBaudRate: UInt8 = 0x10

    /// Returns the number of times that the chip was asked to change its speed.
    private func changes(_ bench: Bench) -> Int {
        bench.chip.statistics.commands[Self.setSerialBaudRate, default: 0]
    }

    /// Opens the reader with a raised speed, works with it, and closes it.
    private func open<Value>(
        _ bench: Bench, at speed: SerialSpeed, _ work: (LibNFCReader) throws -> Value
    ) throws -> Value {
        let connection = "\(bench.chip.connection)?speed=\(speed.rawValue)"
        let reader = try LibNFCReader(connection: connection, queue: bench.queue, logger: Logger(label: "test"))
        return try bench.queue.sync {
            defer { reader.close() }
            #expect(reader.connection == connection)
            return try work(reader)
        }
    }

    /// Works with the chip's port without libnfc.
    private func onPort<Value>(of bench: Bench, _ work: (ChipSpeed) -> Value) throws -> Value {
        let descriptor = Glibc.open(bench.chip.path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let line = ChipLine(descriptor: descriptor)
        try #require(line.makeRaw())
        return work(ChipSpeed(line: line, usual: .baud115200))
    }

    @Test(arguments: SerialSpeed.raised)
    func theSpeedIsRaisedWhileTheReaderIsOpenAndRestoredAfterwards(_ speed: SerialSpeed) throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        try open(bench, at: speed) { reader in
            #expect(reader.link == .frames(bitsPerSecond: speed.rawValue))
            #expect(changes(bench) >= 1)
            let tags = try reader.poll(for: [.nfcA])
            #expect(tags.count == 1)
        }
        let told = changes(bench)
        #expect(told >= 2)
        // Nothing must be restored.
        #expect(try bench.open { try $0.poll(for: [.nfcA]).count } == 1)
        #expect(changes(bench) == told)
    }

    /// The transfer time shrinks to an eighth.
    @Test func aRaisedSpeedShortensEachExchange() throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        func cost(_ reader: LibNFCReader) throws -> (time: Duration, exchanges: Int) {
            let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
            bench.chip.resetStatistics()
            for _ in 0..<10 { _ = try channel.transceive([0x30, 0x00], framing: .handled) }
            return (bench.chip.statistics.lineTime, bench.chip.statistics.exchanges)
        }
        let slow = try bench.open(cost)
        let fast = try open(bench, at: .baud921600, cost)
        #expect(slow.exchanges == fast.exchanges)
        #expect(slow.time / fast.time > 7.9 && slow.time / fast.time < 8.1)
    }

    @Test func theSpeedIsRestoredWhenTheReaderIsReleasedWithoutClosing() throws {
        let bench = try Bench()
        do {
            let connection = bench.chip.connection + "?speed=921600"
            _ = try LibNFCReader(connection: connection, queue: bench.queue, logger: Logger(label: "test"))
        }
        let told = changes(bench)
        #expect(told >= 2)
        try bench.open { _ in }
        #expect(changes(bench) == told)
    }

    @Test func theSpeedIsRestoredAfterAnAbort() throws {
        let bench = try Bench()
        try open(bench, at: .baud921600) { $0.abort() }
        let told = changes(bench)
        try bench.open { _ in }
        #expect(changes(bench) == told)
    }

    @Test func theSpeedIsRestoredEvenIfTheChipMissesTheFirstRequest() throws {
        let bench = try Bench()
        try open(bench, at: .baud921600) { _ in bench.chip.faults.deaf = 1 }
        let told = changes(bench)
        try bench.open { _ in }
        // The usual speed need not be restored again.
        #expect(changes(bench) == told)
    }

    @Test(arguments: SerialSpeed.raised, [false, true])
    func aChipThatAKilledProgramLeftAtARaisedSpeedIsBroughtBack(
        _ speed: SerialSpeed, isRaisedAgain: Bool
    ) throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let isRaised = try onPort(of: bench) { $0.change(from: .baud115200, to: speed) }
        #expect(isRaised)
        let told = changes(bench)
        let count: Int
        if isRaisedAgain {
            count = try open(bench, at: .baud921600) { try $0.poll(for: [.nfcA]).count }
        } else {
            count = try bench.open { try $0.poll(for: [.nfcA]).count }
        }
        #expect(count == 1)
        #expect(changes(bench) > told)
        let answers = try onPort(of: bench) { speeds in
            speeds.line.setSpeed(.baud115200) && speeds.line.answer(to: [0x02], within: 500) != nil
        }
        #expect(answers)
    }

    /// Bytes at another speed are garbage.
    @Test func aChipAtAnotherSpeedDoesNotAnswer() throws {
        let bench = try Bench()
        let answers = try onPort(of: bench) { speeds in
            [SerialSpeed.baud921600, .baud9600, .baud115200].map { speed in
                speeds.line.setSpeed(speed) && speeds.line.answer(to: [0x02], within: 500) == [0x32, 0x01, 0x06, 0x07]
            }
        }
        #expect(answers == [false, false, true])
    }

    @Test func aPortThatDoesNotSupportTheSpeedIsFoundOutBeforeTheChipIsAsked() {
        let descriptor = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let speeds = ChipSpeed(line: ChipLine(descriptor: descriptor), usual: .baud115200)
        #expect(!speeds.supports(.baud921600))
    }

    @Test(arguments: ["?speed=9600", "?speed=", "?baud=921600", "?"])
    func anInvalidOptionNamesNoReader(_ option: String) throws {
        let bench = try Bench()
        let connection = bench.chip.connection + option
        #expect(throws: ReaderError.noReader(connection: connection)) {
            try LibNFCReader(connection: connection, queue: bench.queue, logger: Logger(label: "test"))
        }
    }

    @Test func theLineHasOneClaimAtAnySpeed() throws {
        let bench = try Bench()
        try open(bench, at: .baud921600) { _ in
            _ = #expect(throws: ReaderError.busy(connection: bench.chip.connection, holder: "this process")) {
                try LibNFCReader(
                    connection: bench.chip.connection, queue: bench.queue, logger: Logger(label: "test"))
            }
        }
    }
}
