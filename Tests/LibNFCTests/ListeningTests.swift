// A reader that is a target: the real libnfc on the virtual PN532, with a virtual phone on the other side

import Dispatch
import Foundation
import Glibc
import Logging
import ReaderInterface
import Synchronization
import Testing
import VirtualPN532

@testable import LibNFC

@Suite(.timeLimit(.minutes(5))) struct ListeningTests {
    private static let target = ListeningTarget(nfcID1Tail: [0xAA, 0xBB, 0xCC], historicalBytes: [0x80, 0x01])
    private static let slice = Duration.seconds(5)
    /// The time limit of waits for a phone that sends no command.
    ///
    /// On a busy machine, the virtual chip may need half a second to acknowledge a command. Within a shorter limit, its
    /// late frame would collide with the next command.
    private static let silence = Duration.seconds(2)

    /// A reader with a phone at its antenna, where the phone works on a separate thread.
    private final class Pair: @unchecked Sendable {  // the phone is touched on its queue only
        let chip: VirtualReader
        private let queue = DispatchQueue(label: "reader")
        private let phoneQueue = DispatchQueue(label: "phone")
        private let phone: VirtualPhone
        private let finished = DispatchSemaphore(value: 0)

        init() throws {
            let (air, card) = try Antenna.pair()
            chip = try VirtualReader(antenna: card)
            phone = VirtualPhone(antenna: air)
        }

        func open<Value>(_ work: (LibNFCReader) throws -> Value) throws -> Value {
            let reader = try LibNFCReader(connection: chip.connection, queue: queue, logger: Logger(label: "test"))
            return try queue.sync {
                defer { reader.close() }
                return try work(reader)
            }
        }

        func startPhone(_ work: @escaping @Sendable (VirtualPhone) throws -> Void) {
            phoneQueue.async {
                do {
                    try work(self.phone)
                } catch {
                    Issue.record(error)
                }
                self.finished.signal()
            }
        }

        func waitForPhone() { finished.wait() }
    }

    @Test func commandsAndAnswersGoThroughWhole() throws {
        let pair = try Pair()
        try pair.open { reader in
            pair.startPhone { phone in
                let card = try phone.activate()
                #expect(card.sensRes == [0x04, 0x00])
                #expect(card.nfcID1 == [0x08, 0xAA, 0xBB, 0xCC])
                #expect(card.selRes == 0x20)
                #expect(card.ats.suffix(2) == [0x80, 0x01])
                // The longest short C-APDU, and the longest answer.
                for length in [4, 5, 64, 254, 255, 256, 261] {
                    let command = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                    #expect(try phone.transceive(command) == command + [0x90])
                }
                phone.leave()
            }
            #expect(try reader.listen(as: Self.target, timeout: Self.slice))
            for _ in 0..<7 {
                let command = try #require(try reader.receiveCommand(timeout: Self.slice))
                try reader.sendResponse(command + [0x90])
            }
            #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: Self.slice) }
            // libnfc is not called again without a new activation, because it would follow a null pointer.
            #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: Self.slice) }
            #expect(throws: ReaderError.initiatorLost) { try reader.sendResponse([0x90, 0x00]) }
            pair.waitForPhone()
        }
    }

    @Test func aReaderThatComesAgainIsFoundAgain() throws {
        let pair = try Pair()
        try pair.open { reader in
            pair.startPhone { phone in
                for byte in UInt8(1)...3 {
                    _ = try phone.activate()
                    #expect(try phone.transceive([0, 0, 0, byte]) == [byte])
                    if byte == 1 { phone.deselect() }
                    phone.leave()
                }
            }
            for _ in 1...3 {
                while try !reader.listen(as: Self.target, timeout: Self.slice) {}
                let command = try #require(try reader.receiveCommand(timeout: Self.slice))
                try reader.sendResponse([command[3]])
                #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: Self.slice) }
            }
            pair.waitForPhone()
        }
    }

    @Test func nobodyIsNoError() throws {
        let pair = try Pair()
        try pair.open { (reader) throws in
            for _ in 0..<2 { #expect(try !reader.listen(as: Self.target, timeout: Self.silence)) }
            #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: .milliseconds(50)) }
        }
    }

    @Test func silenceIsNoErrorEither() throws {
        let pair = try Pair()
        try pair.open { reader in
            let isQuiet = DispatchSemaphore(value: 0)
            pair.startPhone { phone in
                _ = try phone.activate()
                isQuiet.wait()
                // A command that arrives before the host's next wait has reached the chip is lost: the chip answers
                // the earlier wait.
                usleep(1_000_000)
                #expect(try phone.transceive([0x00, 0xA4, 0x00, 0x00]) == [0x6A, 0x82])
            }
            #expect(try reader.listen(as: Self.target, timeout: Self.slice))
            #expect(try reader.receiveCommand(timeout: Self.silence) == nil)
            #expect(try reader.receiveCommand(timeout: Self.silence) == nil)
            isQuiet.signal()
            #expect(try reader.receiveCommand(timeout: Self.slice) == [0x00, 0xA4, 0x00, 0x00])
            try reader.sendResponse([0x6A, 0x82])
            pair.waitForPhone()
        }
    }

    @Test func whatIsTooLongIsNotSent() throws {
        let pair = try Pair()
        try pair.open { reader in
            pair.startPhone { phone in
                _ = try phone.activate()
                #expect(try phone.transceive([0, 0, 0, 0]).count == 262)
            }
            #expect(try reader.listen(as: Self.target, timeout: Self.slice))
            _ = try reader.receiveCommand(timeout: Self.slice)
            #expect(throws: ReaderError.commandTooLong(length: 263, limit: 262)) {
                try reader.sendResponse([UInt8](repeating: 0, count: 263))
            }
            try reader.sendResponse([UInt8](repeating: 0, count: 262))
            pair.waitForPhone()
        }
    }

    /// The wait ends at the latest when the call is over, because libnfc ignores an abort that comes while it sends.
    @Test func anAbortEndsTheWait() throws {
        let pair = try Pair()
        try pair.open { reader in
            DispatchQueue.global().async {
                while !reader.isRunning {}
                reader.abort()
            }
            #expect(throws: ReaderError.aborted) {
                while try !reader.listen(as: Self.target, timeout: .seconds(2)) {}
            }
        }
    }

    @Test func aReaderThatIsPulledOutFails() throws {
        let pair = try Pair()
        try pair.open { reader in
            #expect(try !reader.listen(as: Self.target, timeout: .milliseconds(50)))
            pair.chip.stop()
            let error = #expect(throws: ReaderError.self) { try reader.listen(as: Self.target, timeout: Self.slice) }
            guard case .readerFailed? = error else { throw try #require(error) }
        }
    }

    @Test func aMuteChipIsNotAnAbsentReader() throws {
        let pair = try Pair()
        try pair.open { reader in
            pair.chip.faults.mute = 0
            let error = #expect(throws: ReaderError.self) { try reader.listen(as: Self.target, timeout: Self.slice) }
            guard case .readerFailed? = error else { throw try #require(error) }
        }
    }

    /// `USBToolTests` covers this for emulated readers.
    @Test func onlyDriversOfAPN532sOwnInterfacesMakeTargets() {
        #expect(!LibNFCReader.canListen(connection: "acr122_usb:001:004"))
        #expect(!LibNFCReader.canListen(connection: "pn53x_usb:001:004"))
        #expect(LibNFCReader.canListen(connection: "pn532_uart:/dev/ttyUSB0"))
        #expect(LibNFCReader.canListen(connection: "pn532_i2c:/dev/i2c-1"))
    }

    @Test(arguments: [
        ListeningTarget(nfcID1Tail: [1, 2]), ListeningTarget(nfcID1Tail: [1, 2, 3, 4]),
        ListeningTarget(nfcID1Tail: [1, 2, 3], sensRes: [4]), ListeningTarget(nfcID1Tail: [1, 2, 3], selRes: 0x08),
        ListeningTarget(nfcID1Tail: [1, 2, 3], historicalBytes: [UInt8](repeating: 0, count: 49)),
    ])
    func aTargetThatCannotBeIsNotTried(target: ListeningTarget) throws {
        _ = try Pair().open { reader in
            #expect(throws: ReaderError.self) { try reader.listen(as: target, timeout: Self.slice) }
        }
    }
}
