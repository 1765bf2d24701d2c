// Authentication, keys and configuration of the virtual NTAG 424 DNA — NXP NT4H2421Gx, 9, 10.4 to 10.6

import Testing

@testable import VirtualPN532

@Suite struct NTAG424AuthenticationTests {
    private static let wrongKey = [UInt8](repeating: 0xFF, count: 16)

    @Test func commandsThatAreNotWrappedAreRefused() {
        var bench = NTAG424Bench()
        for command in ["60", "AA00", "5A010000", "8060000000"] { #expect(bench.send(command) == octets("6E00")) }
        #expect(bench.send("9060000000") == octets("0404083000110591AF"))
    }

    @Test func theMasterFileHasNoApplicationKeys() {
        var bench = NTAG424Bench(isSelected: false)
        #expect(bench.authenticate(0) == 0x40)
        #expect(bench.authenticate(1) == 0x9D)
        #expect(bench.native(0xF5, [0x02]).status == 0x9D)
        #expect(bench.native(0xAD, octets("02000000000000")).status == 0x9D)
        #expect(bench.native(0x60).status == 0xAF)
    }

    @Test func lengthsAndKeyNumbersAreChecked() {
        var bench = NTAG424Bench()
        for (data, status) in [
            ("", 0x7E), ("00", 0x7E), ("0001", 0x7E), ("0007", 0x9E), ("0500", 0x40), ("4000", 0x9E), ("0000", 0xAF),
        ] as [(String, UInt8)] {
            #expect(bench.native(0x71, octets(data)).status == status, "\(data)")
        }
        #expect(bench.native(0xAF, [0x00]).status == 0x7E)
        #expect(bench.native(0xAF, [0x00]).status == 0x1C)
        #expect(bench.native(0x71, octets("0006020000000000")).status == 0xAF)
        #expect(bench.native(0x60).status == 0xCA)
        #expect(bench.send("9060000000").suffix(2) == [0x91, 0xAF])
        #expect(bench.send("00A4000C02E104") == octets("6985"))
        // Without Le, and with extended lengths.
        #expect(bench.send("90600000") == octets("917E"))
        #expect(bench.send("90F50000000001020000") == octets("917E"))
    }

    @Test func nonFirstNeedsASessionAndKeepsItsCounter() {
        var bench = NTAG424Bench()
        #expect(bench.authenticate(1, isFirst: false) == 0x9D)
        #expect(bench.authenticate(0) == 0)
        #expect(bench.secure(0x64, header: [0x00], .mac).data == [0x00])
        #expect(bench.authenticate(1, isFirst: false) == 0)
        #expect(bench.secure(0x64, header: [0x00], .mac).data == [0x00])
        #expect(bench.card.session?.counter == 2)
        #expect(bench.authenticate(1) == 0)
        #expect(bench.card.session?.counter == 0)
    }

    @Test func aWrongMACEndsTheSession() {
        var bench = NTAG424Bench()
        bench.authenticate()
        var data = bench.protected(0xF5, header: [0x02], [], .mac)
        data[8] ^= 1
        #expect(bench.native(0xF5, data).status == 0x1E)
        #expect(bench.native(0x51).status == 0xAE)
        #expect(bench.native(0xF5, [0x02]).status == 0x00)
    }

    @Test func aCommandThatIsReplayedOrLeftOutIsNoticed() {
        var bench = NTAG424Bench()
        bench.authenticate()
        let data = bench.protected(0x64, header: [0x00], [], .mac)
        #expect(bench.native(0x64, data).status == 0x00)
        #expect(bench.native(0x64, data).status == 0x1E)
        bench.authenticate()
        // CmdCtr also counts a command in plain.
        _ = bench.native(0xAD, octets("01000000020000"))
        #expect(bench.secure(0x64, header: [0x00], .mac).status == 0x1E)
    }

    @Test func theFieldEndsTheSession() {
        var bench = NTAG424Bench()
        bench.authenticate()
        bench.card.powerOff()
        bench.select()
        #expect(bench.secure(0x51, header: [], .full).status == 0xAE)
        bench.authenticate()
        bench.select()
        #expect(bench.secure(0x51, header: [], .full).status == 0xAE)
    }

    @Test func theCommandCounterDoesNotOverflow() {
        var bench = NTAG424Bench()
        bench.authenticate()
        bench.card.session?.counter = 0xFFFF
        bench.session?.counter = 0xFFFF
        #expect(bench.native(0xAD, octets("01000000020000")).status == 0x1E)
    }

    @Test func keysChangeByKeyZeroOnly() {
        var bench = NTAG424Bench()
        let key = Array(0x10..<0x20) as [UInt8]
        let data = key + [0x07] + DESFireSession.longChecksum(key)
        #expect(bench.native(0xC4, [0x01] + data).status == 0xAE)
        bench.authenticate(1)
        #expect(bench.secure(0xC4, header: [0x01], data, .full).status == 0xAE)
        bench.authenticate(0)
        #expect(bench.secure(0xC4, header: [0x01], data, .full).data == [])
        #expect(bench.secure(0x64, header: [0x01], .mac).data == [0x07])
        #expect(bench.authenticate(1) == 0xAE)
        #expect(bench.authenticate(1, key: key) == 0)
        // For key 0, there is no XOR and no CRC, and its session ends.
        bench.authenticate(0)
        #expect(bench.native(0xC4, bench.protected(0xC4, header: [0x00], key + [0x02], .full)) == (0x00, []))
        #expect(bench.native(0x51).status == 0xAE)
        #expect(bench.authenticate(0, key: key) == 0)
    }

    @Test(
        arguments: [
            (1, 17, 0x7E), (0, 21, 0x7E), (1, 21, 0x1E), (5, 17, 0x40), (0x41, 21, 0x9E),
        ] as [(UInt8, Int, UInt8)])
    func wrongKeyDataAreRefused(number: UInt8, size: Int, status: UInt8) {
        var bench = NTAG424Bench()
        bench.authenticate()
        let data = [UInt8](repeating: 0x11, count: size)
        #expect(bench.secure(0xC4, header: [number], data, .full).status == status)
        #expect(bench.card.memory == NTAG424Memory(uid: NTAG424Bench.uid))
    }

    @Test func theFiftiethFailureDelaysTheKeyAlone() {
        var bench = NTAG424Bench()
        for _ in 0..<50 { #expect(bench.authenticate(1, key: Self.wrongKey) == 0xAE) }
        #expect(bench.authenticate(0) == 0)
        #expect(bench.authenticate(1) == 0xAD)
        #expect(bench.card.commandTime == .milliseconds(26))
        #expect(bench.authenticate(1, key: Self.wrongKey) == 0xAE)
        #expect(bench.authenticate(1) == 0xAD)
        bench.card.powerOff()
        bench.select()
        #expect(bench.authenticate(1) == 0xAD)
        #expect(bench.authenticate(1) == 0)
        #expect(bench.card.memory.keys[1].totalFailures == 51 - 10)
        #expect(bench.card.memory.keys[1].failuresInARow == 0)
    }

    @Test func tooManyFailuresLockAKeyUntilItIsChanged() {
        var bench = NTAG424Bench()
        bench.authenticate()
        #expect(bench.secure(0x5C, header: [0x0A], octets("0103000100"), .full).status == 0)
        for _ in 0..<3 { #expect(bench.authenticate(2, key: Self.wrongKey) == 0xAE) }
        #expect(bench.authenticate(2) == 0x9D)
        bench.authenticate()
        let zero = NTAG424Bench.zeroKey
        #expect(
            bench.secure(0xC4, header: [0x02], zero + [0x00] + DESFireSession.longChecksum(zero), .full).status == 0)
        #expect(bench.authenticate(2) == 0)
    }

    @Test(
        arguments: [
            ("00", "02", 0x00), ("00", "03", 0x9E), ("00", "0202", 0x7E), ("04", "0400", 0x00), ("04", "04", 0x7E),
            ("04", "0001", 0x9E), ("05", "00000000000000001122", 0x00), ("05", "00", 0x7E), ("0A", "0100000A00", 0x9E),
            ("0A", "0000000000", 0x00), ("0A", "00", 0x7E), ("0B", "00", 0x00), ("0B", "02", 0x9E), ("01", "00", 0x9E),
        ] as [(String, String, UInt8)])
    func configurationsAreChecked(option: String, data: String, status: UInt8) {
        var bench = NTAG424Bench()
        #expect(bench.native(0x5C, octets(option + data)).status == 0xAE)
        bench.authenticate()
        #expect(bench.secure(0x5C, header: octets(option), octets(data), .full).status == status)
        #expect((bench.card.memory.configuration == NTAG424Configuration()) == (status != 0))
    }

    @Test func aRandomUIDComesWithTheNextField() throws {
        let tag = try #require(VirtualTagKind.ntag424.make(uid: NTAG424Bench.uid) as? VirtualNTAG424Tag)
        tag.withCard { $0.application.memory.configuration.hasRandomID = true }
        #expect(tag.nfcID1 == NTAG424Bench.uid && tag.sensRes == [0x44, 0x03])
        tag.fieldOff()
        let first = tag.nfcID1
        #expect(first.count == 4 && first[0] == 0x08 && tag.sensRes == [0x04, 0x03] && tag.selRes == 0x20)
        #expect(
            (0..<8).contains { _ in
                tag.fieldOff(); return tag.nfcID1 != first
            })
        #expect(tag.identifier == NTAG424Bench.uid)
        let chip = ChipBench([tag])
        let target = octets(chip.answer("4A 01 00"))
        #expect(Array(target.prefix(8)) == octets("4B 01 01 03 04 20 04 08"))
        // The version does not contain the UID. GetCardUID returns it to an authenticated reader.
        var bench = NTAG424Bench(tag.memory)
        _ = bench.native(0x60)
        _ = bench.native(0xAF)
        #expect(bench.native(0xAF).data.starts(with: [0, 0, 0, 0, 0, 0, 0]))
        bench.authenticate(4)
        #expect(bench.secure(0x51, header: [], .full).data == NTAG424Bench.uid)
    }
}
