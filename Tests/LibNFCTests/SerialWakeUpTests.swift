// Boards that sleep through the first frames, and boards that never wake up

@preconcurrency import Glibc
import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct SerialWakeUpTests {
    /// libnfc's own frame is the first, and three more attempts follow.
    @Test(arguments: 1...3)
    func aBoardThatSleepsThroughFramesIsWokenUp(_ frames: Int) throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()], fault: "deaf", after: frames)
        #expect(try bench.open { try $0.poll(for: [.nfcA]).count } == 1)
    }

    @Test func aBoardThatNeedsItsTimeIsWokenUp() throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        bench.chip.faults.slowwake = .milliseconds(300)
        #expect(try bench.open { try $0.poll(for: [.nfcA]).count } == 1)
    }

    @Test func aBoardThatSleepsThroughAllTriesFailsToOpen() throws {
        let bench = try Bench(fault: "deaf", after: 20)
        let error = ReaderError.readerFailed(operation: "opening", reason: "it did not answer", code: -1)
        #expect(throws: error) { try bench.open { _ in } }
    }

    /// The port may be that of a modem.
    @Test func aPortWithoutAPN532KeepsItsSettings() throws {
        let bare = try BarePort()
        let line = ChipLine(descriptor: bare.port)
        let before = try #require(line.settings)
        let wakeUp = try #require(SerialWakeUp(on: bare.port, connection: "pn532_uart:/dev/x"))
        let isAwake = wakeUp.wake()
        #expect(!isAwake)
        let after = try #require(line.settings)
        #expect(before.c_iflag == after.c_iflag && before.c_oflag == after.c_oflag)
        #expect(before.c_lflag == after.c_lflag && before.c_cflag == after.c_cflag)
        #expect(before.c_ispeed == after.c_ispeed && before.c_ospeed == after.c_ospeed)
    }

    @Test func flowControlThatAnotherProgramLeftOnIsSwitchedOff() throws {
        let bare = try BarePort()
        let line = ChipLine(descriptor: bare.port)
        var settings = try #require(line.settings)
        settings.c_cflag |= tcflag_t(CRTSCTS)
        line.restore(settings)
        let before = try #require(line.settings)
        #expect(before.c_cflag & tcflag_t(CRTSCTS) != 0)
        let isRaw = line.makeRaw()
        #expect(isRaw)
        let after = try #require(line.settings)
        #expect(after.c_cflag & tcflag_t(CRTSCTS) == 0)
    }

    @Test func onlyASerialPN532IsWokenUpAtASpeedThatLibNFCKnows() {
        for connection in ["pn532_uart:/dev/x", "pn532_uart:/dev/x:115200", "pn532_uart:/dev/x:9600"] {
            #expect(SerialWakeUp(on: -1, connection: connection) != nil)
        }
        for connection in ["pn532_uart:/dev/x:7", "pn532_uart:/dev/x:", "arygon:/dev/x:9600", "pn532_i2c:/dev/x"] {
            #expect(SerialWakeUp(on: -1, connection: connection) == nil)
        }
    }
}

/// A serial port on which no PN532 answers.
private final class BarePort {
    let port: CInt
    private let master: CInt

    init() throws {
        var (master, port) = (CInt(-1), CInt(-1))
        let isOpen = openpty(&master, &port, nil, nil, nil) == 0
        try #require(isOpen)
        (self.master, self.port) = (master, port)
    }

    deinit {
        close(master)
        close(port)
    }
}
