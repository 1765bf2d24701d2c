// Boards that sleep through the first frames, and those that never wake up

import ReaderInterface
import Testing
import VirtualPN532

@testable import LibNFC

@Suite struct SerialWakeUpTests {
    /// libnfc's own frame is the first; three more tries follow.
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

    @Test func onlyASerialPN532IsWokenUpAtASpeedThatLibNFCKnows() {
        for connection in ["pn532_uart:/dev/x", "pn532_uart:/dev/x:115200", "pn532_uart:/dev/x:9600"] {
            #expect(SerialWakeUp(on: -1, connection: connection) != nil)
        }
        for connection in ["pn532_uart:/dev/x:7", "pn532_uart:/dev/x:", "arygon:/dev/x:9600", "pn532_i2c:/dev/x"] {
            #expect(SerialWakeUp(on: -1, connection: connection) == nil)
        }
    }
}
