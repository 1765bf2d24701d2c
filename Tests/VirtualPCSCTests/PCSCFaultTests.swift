// Faults of readers, as clients of the real pcscd see them

import Clibpcsclite
import Testing
import VirtualPCSC
import VirtualPN532

extension OnTheDaemon {
    @Suite struct ReaderFaults {
        private let tag = VirtualISO15693Tag(chip: .icodeSLIX2)

        private func desk(_ change: (inout PCSCFaults) -> Void) throws -> Desk {
            let desk = try Desk(.acr1552u, tag)
            try desk.client.connect(desk.name)
            var faults = PCSCFaults()
            change(&faults)
            desk.reader.faults = faults
            return desk
        }

        @Test(arguments: PCSCFaults.PullReport.allCases) func aCardIsPulledDuringATransmit(
            report: PCSCFaults.PullReport
        ) throws {
            let desk = try desk {
                $0.pull = 2
                $0.pullReport = report
            }
            defer { desk.close() }
            #expect(try desk.client.transmit("FF CA 00 00 00").hasSuffix("90 00"))
            switch report {
            case .notPresent:
                #expect(throws: PCSCError.code(SCARD_E_NO_SMARTCARD)) {
                    try desk.client.transmit("FF FB 00 00 02 20 00")
                }
            case .communicationError:
                #expect(throws: PCSCError.code(SCARD_E_NOT_TRANSACTED)) {
                    try desk.client.transmit("FF FB 00 00 02 20 00")
                }
            case .empty: #expect(try desk.client.transmit("FF FB 00 00 02 20 00") == "")
            }
            try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_EMPTY) != 0 }
        }

        @Test func aLostFrameIsATimeOut() throws {
            let desk = try desk { $0.tag.nak = 2 }
            defer { desk.close() }
            #expect(try desk.client.transmit("FF FB 00 00 02 20 00").hasSuffix("90 00"))
            #expect(try desk.client.transmit("FF FB 00 00 02 20 00") == "64 01")
            #expect(try desk.client.transmit("FF FB 00 00 02 20 00").hasSuffix("90 00"))
        }

        @Test func framesAreLostAtRandomInTheSameWay() throws {
            var runs: [[Bool]] = []
            for _ in 0..<2 {
                let desk = try desk { $0.tag.coupling.bitErrorRate = 0.003 }
                defer { desk.close() }
                runs.append(try (0..<40).map { _ in try desk.client.transmit("FF FB 00 00 02 20 00") == "64 01" })
            }
            #expect(runs[0] == runs[1])
            #expect(runs[0].contains(true) && runs[0].contains(false))
        }

        @Test func aTornWriteIsLeftAndTheTagComesBack() throws {
            let desk = try desk {
                $0.tearAtWrite = 2
                $0.tag.back = .milliseconds(30)
            }
            defer { desk.close() }
            #expect(try desk.client.transmit("FF FB 00 00 06 21 04 A1 A2 A3 A4") == "90 00")
            let before = try desk.client.state(of: desk.name).state
            #expect(try desk.client.transmit("FF FB 00 00 06 21 05 B1 B2 B3 B4") == "64 01")
            #expect(Array(tag.contents[16..<20]) == [0xA1, 0xA2, 0xA3, 0xA4])
            try wait { try desk.client.state(of: desk.name).state >> 16 == (before >> 16) + 2 }
            try desk.client.disconnect()
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF FB 00 00 06 21 05 B1 B2 B3 B4") == "90 00")
            #expect(Array(tag.contents[20..<24]) == [0xB1, 0xB2, 0xB3, 0xB4])
        }

        @Test func powerIsLostAfterACommand() throws {
            let desk = try desk { $0.tag.loss = 1 }
            defer { desk.close() }
            #expect(try desk.client.transmit("FF FB 00 00 02 20 00").hasSuffix("90 00"))
            try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_EMPTY) != 0 }
        }

        @Test func aHungReaderAnswersWhenItIsReleased() async throws {
            let desk = try desk { $0.hang = 1 }
            defer { desk.close() }
            let begin = ContinuousClock.now
            let reader = desk.reader
            let release = Task.detached {
                try await Task.sleep(for: .milliseconds(150))
                reader.faults = PCSCFaults()
            }
            #expect(try desk.client.transmit("FF CA 00 00 00").hasSuffix("90 00"))
            #expect(ContinuousClock.now - begin > .milliseconds(100))
            try await release.value
        }

        @Test func aDaemonWithAHungReaderStops() async throws {
            let desk = try desk { $0.hang = 1 }
            let daemon = desk.daemon
            let stop = Task.detached {
                try await Task.sleep(for: .milliseconds(50))
                daemon.stop()
            }
            #expect(throws: PCSCError.self) { try desk.client.transmit("FF CA 00 00 00") }
            try await stop.value
        }

        @Test func quickSwapsAreCounted() throws {
            let desk = try Desk()
            defer { desk.close() }
            let before = try desk.client.state(of: desk.name).state >> 16
            for serial in 2...11 as ClosedRange<UInt16> {
                desk.reader.place(VirtualISO15693Tag(chip: .icodeSLIX, serial: serial))
                try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_PRESENT) != 0 }
                desk.reader.remove()
                try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_EMPTY) != 0 }
            }
            #expect(try desk.client.state(of: desk.name).state >> 16 == before + 20)
        }

        @Test func realLatencyTakesItsTime() throws {
            let reader = VirtualPCSCReader(model: .acr1552u, tags: [tag], latency: .real)
            let daemon = try PrivatePCSCDaemon(readers: [reader])
            defer { daemon.stop() }
            let client = try Client(daemon)
            try client.connect(reader.friendlyName + " 00 00")
            let begin = ContinuousClock.now
            #expect(try client.transmit("FF FB 00 00 06 21 04 A1 A2 A3 A4") == "90 00")
            // 20 and 6 bytes on the air at 302 µs each, and 5 ms for the block.
            #expect(ContinuousClock.now - begin > .milliseconds(11))
        }

        @Test func sixteenReadersAreInOneDaemon() throws {
            let readers = (0..<16).map { VirtualPCSCReader(model: .utrust3721f, name: "R\($0)") }
            let daemon = try PrivatePCSCDaemon(readers: readers)
            defer { daemon.stop() }
            #expect(try Client(daemon).readers().count == 16)
            #expect(throws: PCSCDaemonError.tooManyReaders(limit: 16)) {
                try PrivatePCSCDaemon(readers: readers + [VirtualPCSCReader(model: .generic)])
            }
        }
    }
}
