// A reader in a separate process that acts as a target

import Foundation
import ReaderInterface
import Testing
import VirtualPN532

@testable import ReaderProcess

extension ReaderProcesses {
    @Suite(.serialized) struct IsolatedListeningTests {
        private static let target = ListeningTarget(nfcID1Tail: [1, 2, 3])

        private func withReader(_ work: (Antenna, IsolatedReader) throws -> Void) throws {
            let (air, card) = try Antenna.pair()
            let chip = try VirtualReader(antenna: card)
            defer { chip.stop() }
            let reader = try IsolatedReader(Program.nfctool)
            try reader.open(chip.connection)
            defer { reader.close() }
            try work(air, reader)
        }

        @Test func commandsAndAnswersGoThroughWhole() throws {
            try withReader { air, reader in
                let phone = Thread {
                    do {
                        let phone = VirtualPhone(antenna: air)
                        _ = try phone.activate()
                        #expect(try phone.transceive([0x00, 0xA4, 0x00, 0x0C]) == [0x6A, 0x82])
                        phone.leave()
                    } catch {
                        Issue.record(error)
                    }
                }
                phone.start()
                while try !reader.listen(as: Self.target, timeout: .seconds(5)) {}
                #expect(try reader.receiveCommand(timeout: .seconds(5)) == [0x00, 0xA4, 0x00, 0x0C])
                try reader.sendResponse([0x6A, 0x82])
                #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: .seconds(5)) }
            }
        }

        @Test func nobodyIsNoError() throws {
            try withReader { (_, reader) throws in
                #expect(try !reader.listen(as: Self.target, timeout: .milliseconds(50)))
                #expect(throws: ReaderError.initiatorLost) { try reader.receiveCommand(timeout: .milliseconds(50)) }
            }
        }

        @Test func anAbortEndsTheWait() throws {
            try withReader { (_, reader) throws in
                DispatchQueue.global().async { reader.abort() }
                #expect(throws: ReaderError.aborted) {
                    while try !reader.listen(as: Self.target, timeout: .seconds(2)) {}
                }
            }
        }
    }
}
