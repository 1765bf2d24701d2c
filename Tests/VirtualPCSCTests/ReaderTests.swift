// The ACR1552U with an ICODE SLIX2 under the real pcscd

import Chance
import Clibpcsclite
import Glibc
import Testing
import VirtualPCSC
import VirtualPN532

/// Tests with a separate daemon for each.
///
/// They run one at a time, because the clients in a process can reach only one daemon.
@Suite(.serialized, .oneAtATime, .enabled(if: PrivatePCSCDaemon.isAvailable)) struct OnTheDaemon {}

extension OnTheDaemon {
    @Suite struct Readers {
        @Test func aReaderIsListedWithItsSlotForSAMs() throws {
            let desk = try Desk()
            defer { desk.close() }
            #expect(
                try desk.client.readers() == [
                    "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00",
                    "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 01 00",
                ])
        }

        @Test func tagsComeAndGo() throws {
            let desk = try Desk()
            defer { desk.close() }
            let empty = try desk.client.state(of: desk.name)
            #expect(empty.state & DWORD(SCARD_STATE_EMPTY) != 0)
            desk.reader.place(VirtualISO15693Tag(chip: .icodeSLIX2))
            let full = try desk.client.state(of: desk.name, after: empty.state)
            #expect(full.state & DWORD(SCARD_STATE_PRESENT) != 0)
            #expect(hex(full.atr) == "3B 8F 80 01 80 4F 0C A0 00 00 03 06 0B 00 14 00 00 00 00 77")
            desk.reader.remove()
            let gone = try desk.client.state(of: desk.name, after: full.state)
            #expect(gone.state & DWORD(SCARD_STATE_EMPTY) != 0)
            #expect(gone.state >> 16 == (empty.state >> 16) + 2)
        }

        @Test func blocksAreReadAndWritten() throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(.acr1552u, tag)
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF CA 00 00 00") == "01 00 57 57 08 01 04 E0 90 00")
            #expect(try desk.client.transmit("FF FB 00 00 06 21 05 DE AD BE EF") == "90 00")
            #expect(try desk.client.transmit("FF FB 00 00 02 20 05") == "DE AD BE EF 90 00")
            #expect(try desk.client.transmit("FF B0 00 05 04") == "DE AD BE EF 90 00")
            #expect(Array(tag.contents[20..<24]) == [0xDE, 0xAD, 0xBE, 0xEF])
        }

        @Test func aTransparentSessionCarriesFrames() throws {
            let desk = try Desk(.acr1552u, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            try desk.client.connect(desk.name)
            #expect(try desk.client.transmit("FF C2 00 00 02 81 00 00") == "C0 03 00 90 00 90 00")
            #expect(try desk.client.transmit("FF C2 00 02 04 8F 02 02 03 00") == "C0 03 00 90 00 8F 01 00 90 00")
            #expect(
                try desk.client.transmit("FF C2 00 01 04 95 02 02 2B 00")
                    == "C0 03 00 90 00 92 01 00 96 02 00 00 97 0F 00 0F 01 00 57 57 08 01 04 E0 00 00 4F 03 01 90 00")
            #expect(
                try desk.client.transmit("FF C2 00 01 05 95 03 42 20 00 00")
                    == "C0 03 00 90 00 92 01 00 96 02 00 00 97 06 00 00 00 00 00 00 90 00")
            #expect(try desk.client.transmit("FF C2 00 00 02 82 00 00") == "C0 03 00 90 00 90 00")
        }

        @Test func aWriteWithoutTimerTimesOutAlthoughItIsWritten() throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(.acr1552u, tag)
            defer { desk.close() }
            try desk.client.connect(desk.name)
            _ = try desk.client.transmit("FF C2 00 00 02 81 00 00")
            _ = try desk.client.transmit("FF C2 00 02 04 8F 02 02 03 00")
            let uid = hex(tag.uid.reversed())
            #expect(
                try desk.client.transmit("FF C2 00 01 11 95 0F 22 21 \(uid) 03 01 02 03 04 00")
                    == "C0 03 01 64 01 90 00")
            #expect(Array(tag.contents[12..<16]) == [1, 2, 3, 4])
            #expect(
                try desk.client.transmit("FF C2 00 01 18 5F 46 04 40 42 0F 00 95 0F 22 21 \(uid) 03 05 06 07 08 00")
                    == "C0 03 00 90 00 92 01 00 96 02 00 00 97 01 00 90 00")
            #expect(Array(tag.contents[12..<16]) == [5, 6, 7, 8])
        }

        @Test func unpluggingAndPluggingIsSeen() throws {
            let desk = try Desk(.acr1552u, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            try desk.client.connect(desk.name)
            desk.reader.unplug()
            #expect(throws: PCSCError.self) { try desk.client.transmit("FF CA 00 00 00") }
            try wait { try desk.client.readers().isEmpty }
            try desk.reader.plug()
            try wait { try desk.client.readers().count == 2 }
            let again = try Client(desk.daemon)
            try again.connect(desk.name)
            #expect(try again.transmit("FF CA 00 00 00").hasSuffix("90 00"))
        }

        @Test func aReaderIsPulledOutAndPluggedInManyTimes() throws {
            let desk = try Desk(.utrust3721f, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            for _ in 0..<30 {
                // The reader appears first, and its card later.
                try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_PRESENT) != 0 }
                try desk.client.connect(desk.name)
                #expect(try desk.client.transmit("FF CA 00 00 00").hasSuffix("90 00"))
                desk.reader.unplug()
                try wait { try desk.client.readers().isEmpty }
                try? desk.client.disconnect()
                try desk.reader.plug()
                try wait { try desk.client.readers() == [desk.name] }
            }
        }

        /// A reader's thread can overwrite pcscd's request to stop it while it handles the removal of a tag.
        @Test func aReaderIsPulledOutRightAfterItsTag() throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(.acr1552u, tag)
            defer { desk.close() }
            for round in 0..<30 {
                try wait { try desk.client.state(of: desk.name).state & DWORD(SCARD_STATE_PRESENT) != 0 }
                desk.reader.remove()
                usleep(UInt32(round % 6 * 100))
                desk.reader.unplug()
                try wait { try desk.client.readers().isEmpty }
                desk.reader.place(tag)
                try desk.reader.plug()
                try wait { try desk.client.readers().contains(desk.name) }
            }
        }

        @Test func aKilledDaemonStartsAgain() throws {
            let desk = try Desk(.acr1552u, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            desk.daemon.kill()
            #expect(throws: PCSCError.code(SCARD_E_NO_SERVICE)) { _ = try Client(desk.daemon) }
            try desk.daemon.restart()
            let again = try Client(desk.daemon)
            try again.connect(desk.name)
            #expect(try again.transmit("FF CA 00 00 00").hasSuffix("90 00"))
        }

        @Test func nothingOfAStoppedDaemonStays() throws {
            let desk = try Desk()
            let folder = String(desk.daemon.socketPath.dropLast("/pcscd.comm".count))
            #expect(access(folder, F_OK) == 0)
            desk.close()
            #expect(access(folder, F_OK) != 0)
        }
    }
}

/// Waits, at most 5 s, until a condition holds.
func wait(until condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(5)
    while try !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("It did not happen within 5 s.")
            return
        }
        usleep(2_000)
    }
}
