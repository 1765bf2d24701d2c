// Files, access rights and settings of the virtual NTAG 424 DNA — NXP NT4H2421Gx, 8.2.3, 10.7 to 10.9

import Testing

@testable import VirtualPN532

@Suite struct NTAG424FileTests {
    @Test func settingsAsDelivered() {
        var bench = NTAG424Bench()
        #expect(bench.native(0xF5, [0x01]).data == octets("00 00 00E0 200000"))
        #expect(bench.native(0xF5, [0x02]).data == octets("00 00 E0EE 000100"))
        #expect(bench.native(0xF5, [0x03]).data == octets("00 03 3023 800000"))
        #expect(bench.native(0xF5, [0x04]).status == 0xF0)
        #expect(bench.native(0xF5, [0x22]).status == 0x9E)
        #expect(bench.native(0xF5, []).status == 0x7E)
        #expect(bench.native(0xF5, [0x02, 0x00]).status == 0x7E)
        #expect(bench.native(0xF6, [0x02]).status == 0x9D)
        #expect(bench.native(0xFC).status == 0x1C)
    }

    @Test func selectionReadingAndUpdatingByISOCommands() {
        var bench = NTAG424Bench(isSelected: false)
        for (command, answer) in [
            ("00A4000C02E104", "6A82"), ("00B0000002", "6985"), ("00A4010002E110", "9000"), ("00A4000C02E103", "9000"),
            ("00B0000002", "00179000"), ("00B0001F00", "009000"), ("00B0002001", "6A86"), ("00B0000000000002", "6700"),
            ("00D600000100", "6982"), ("00A4020C02E104", "9000"), ("00D60000020000", "9000"),
            ("00D600FF020000", "6700"),
            ("00D6010001AA", "6A86"), ("00D600000200", "6700"), ("00B08300 01", "6982"), ("00B0A20001", "6A86"),
            ("00B08E0001", "6A82"), ("00B0820001", "009000"), ("00A4040C00", "6A87"), ("00A4040C", "6A87"),
            ("00A402 0C01E1", "6A87"), ("00A4050C02E104", "6A86"), ("00A4000102E104", "6A86"), ("00A40000", "9000"),
            ("00B0000001", "6985"), ("00CA000000", "6D00"),
        ] { #expect(bench.send(command) == octets(answer), "\(command)") }
    }

    @Test func isoCommandsAreRefusedInASession() {
        var bench = NTAG424Bench()
        _ = bench.send("00A4000C02E104")
        bench.authenticate()
        #expect(bench.send("00B0000002") == octets("6982"))
        // The error ended the session.
        #expect(bench.send("00B0000002") == octets("00009000"))
        bench.authenticate()
        #expect(bench.send("00D600000100") == octets("6982"))
    }

    /// Read, Write, ReadWrite and Change, the key of the session or nil, and the status of ReadData and of WriteData.
    @Test(
        arguments: [
            (0xFFF0, nil, 0x9D, 0x9D), (0xFFF0, 0, 0x9D, 0x9D), (0x1230, nil, 0xAE, 0xAE), (0x1230, 1, 0x00, 0xAE),
            (0x1230, 2, 0xAE, 0x00), (0x1230, 3, 0x00, 0x00), (0x1230, 4, 0xAE, 0xAE), (0xE2F0, nil, 0x00, 0xAE),
            (0x1FF0, nil, 0xAE, 0x9D), (0xFFE0, nil, 0x00, 0x00),
        ] as [(UInt16, UInt8?, UInt8, UInt8)])
    func accessRights(rights: UInt16, key: UInt8?, read: UInt8, write: UInt8) {
        for mode in [NTAG424Mode.plain, .mac, .full] {
            var memory = NTAG424Memory(uid: NTAG424Bench.uid)
            (memory.files[2].accessRights, memory.files[2].communication) = (rights, mode.rawValue)
            var bench = NTAG424Bench(memory)
            if let key { bench.authenticate(key) }
            let own: NTAG424Mode = key == nil ? .plain : mode
            let answer = bench.secure(0xAD, header: octets("03000000040000"), own)
            #expect(answer.status == read)
            if read == 0 { #expect(answer.data == [0, 0, 0, 0]) }
            if let key { bench.authenticate(key) }
            #expect(bench.secure(0x8D, header: octets("03010000030000"), [1, 2, 3], own).status == write)
            #expect((bench.card.memory.files[2].content[1...3] == [1, 2, 3]) == (write == 0))
        }
    }

    /// 8.2.3.3: if only free access applies, a command in a session is in plain, but is still counted.
    @Test func freeAccessInASessionIsPlain() {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        memory.files[1].communication = 0x03
        var bench = NTAG424Bench(memory)
        bench.authenticate(1)
        #expect(bench.native(0xAD, octets("02000000020000")) == (0x00, [0x00, 0x00]))
        #expect(bench.card.session?.counter == 1)
    }

    @Test func rangesAreChecked() {
        var bench = NTAG424Bench()
        for (header, status) in [
            ("02 000000 000000", 0x00), ("02 FF0000 010000", 0x00), ("02 000100 000000", 0xBE),
            ("02 FF0000 020000", 0xBE), ("02 FFFFFF FFFFFF", 0xBE), ("42 000000 010000", 0x9E),
            ("04 000000 010000", 0xF0), ("02 000000 0100", 0x7E), ("02 000000 010000 00", 0x7E),
        ] as [(String, UInt8)] { #expect(bench.native(0xAD, octets(header)).status == status, "\(header)") }
        for (data, status) in [
            ("02 000000 010000 AA", 0x00), ("02 000000 000000", 0x9E), ("02 000000 020000 AA", 0x7E),
            ("02 FF0000 020000 AAAA", 0xBE), ("01 000000 010000 AA", 0xAE), ("02 000000 010000", 0x7E),
        ] as [(String, UInt8)] { #expect(bench.native(0x8D, octets(data)).status == status, "\(data)") }
    }

    @Test func wrongPaddingIsAnIntegrityError() {
        var bench = NTAG424Bench()
        bench.authenticate()
        guard let session = bench.session else { return }
        var zero = [UInt8](repeating: 0, count: 16)
        var vector = session.encryption.encryptCBC(
            [0xA5, 0x5A] + session.transaction + [UInt8](repeating: 0, count: 10), vector: &zero)
        let cipher = session.encryption.encryptCBC([UInt8](repeating: 0, count: 16), vector: &vector)
        let code = session.authentication.truncatedCode([0x5F, 0, 0] + session.transaction + [0x02] + cipher)
        #expect(bench.native(0x5F, [0x02] + cipher + code).status == 0x1E)
    }

    /// The settings from SDMOptions to SDMReadCtrLimit that table 71 forbids.
    ///
    /// The file has 256 bytes.
    @Test(
        arguments: [
            ("C1 F121 200000 430000 430000", 0x00), ("C0 F121 200000 430000 430000", 0x9E),
            ("C3 F121 200000 430000 430000", 0x9E), ("C1 0121 200000 430000 430000", 0x9E),
            ("C1 F151 200000 430000 430000", 0x9E), ("C1 F12E 200000 430000 430000", 0x9E),
            ("C1 F521 200000 430000 430000", 0x9E), ("C1 F121 200000 430000", 0x7E),
            ("C1 F121 200000 430000 430000 00", 0x7E), ("C1 F1", 0x7E), ("C1 F121 E10000 430000 430000", 0x9E),
            ("C1 F121 200000 440000 430000", 0x9E), ("C1 F121 200000 430000 F10000", 0x9E),
            ("C1 F121 200000 430000 F00000", 0x00), ("C1 F121 200000 200000 3F0000", 0x9E),
            ("01 FF2F 200000", 0x9E), ("81 FFFF", 0x9E), ("41 F1FF", 0x00), ("01 FFFF", 0x00), ("01 F1FF", 0x9E),
            ("C1 FFEF 200000 2E0000", 0x00), ("C1 FFEF 200000 2D0000", 0x9E), ("C1 FFEF 200000 FFFFFF", 0x00),
            ("C1 FFEF F30000 200000", 0x9E), ("D1 FF2F 200000", 0x9E),
            ("51 FF21 200000 430000 430000 200000 630000", 0x9E),
            ("D1 FF21 200000 430000 430000 200000 630000", 0x00), ("D1 FF21 200000 430000 430000 210000 640000", 0x9E),
            ("D1 FF21 200000 430000 430000 200000 620000", 0x9E), ("D1 FF21 200000 440000 430000 200000 630000", 0x9E),
            ("D1 FF21 200000 430000 430000 000000 630000", 0x9E), ("D1 FF21 200000 000000 100000 200000 630000", 0x9E),
            ("E1 FF2F 200000 000000", 0x9E), ("E1 FF2F 200000 010000", 0x00), ("21 FFFF 010000", 0x9E),
        ] as [(String, UInt8)])
    func dynamicSettingsAreChecked(sdm: String, status: UInt8) {
        var bench = NTAG424Bench()
        bench.authenticate()
        let before = bench.card.memory
        #expect(bench.secure(0x5F, header: [0x02], octets("40 00E0" + sdm), .full).status == status)
        guard status == 0 else {
            #expect(bench.card.memory == before)
            return
        }
        #expect(bench.secure(0xF5, header: [0x02], .mac).data == octets("00 40 00E0 000100" + sdm))
    }

    @Test func settingsNeedTheRightToChangeThem() {
        var bench = NTAG424Bench()
        #expect(bench.native(0x5F, octets("02 00 E0EE")).status == 0xAE)
        bench.authenticate(1)
        #expect(bench.secure(0x5F, header: [0x02], octets("00 E0EE"), .full).status == 0xAE)
        for (data, status) in [
            ("04 E0EE", 0x9E), ("80 E0EE", 0x9E), ("00 E05E", 0x9E), ("00 E0", 0x7E), ("00 E0EE 00", 0x7E),
        ]
            as [(String, UInt8)]
        {
            bench.authenticate()
            #expect(bench.secure(0x5F, header: [0x02], octets(data), .full).status == status, "\(data)")
        }
        bench.authenticate()
        #expect(bench.secure(0x5F, header: [0x01], octets("40 00E0 01 FFFF"), .full).status == 0x9D)
        bench.authenticate()
        #expect(bench.secure(0x5F, header: [0x02], octets("01 EEEE"), .full).data == [])
        // Change is now free, so the command is in plain, with or without a session.
        #expect(bench.native(0x5F, octets("02 00 EEEE")).status == 0x00)
        bench.card.powerOff()
        bench.select()
        #expect(bench.native(0x5F, octets("02 00 EFEE")).status == 0x00)
        #expect(bench.native(0x5F, octets("02 00 EEEE")).status == 0x9D)
    }
}
