// Secure Dynamic Messaging of the virtual NTAG 424 DNA — NXP NT4H2421Gx, 9.3

import Testing

@testable import VirtualPN532

@Suite struct NTAG424MirroringTests {
    /// Creates a file with the UID at 20, the counter at 40 and a MAC at 60, in hexadecimal.
    private func bench(
        _ sdm: String = "C1 FEE0 200000 400000 600000 600000", readCounter: Int = 0, rights: UInt16 = 0xE000
    ) throws -> NTAG424Bench {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        memory.files[1].accessRights = rights
        memory.files[1].sdm = try NTAG424SDM(octets(sdm), fileSize: 256, readCounter: 0)
        memory.files[1].readCounter = readCounter
        return NTAG424Bench(memory)
    }

    private func counter(_ bench: inout NTAG424Bench) -> String {
        String(decoding: bench.readFile()[0x40..<0x46], as: UTF8.self)
    }

    @Test func aSeriesOfReadsCountsOnce() throws {
        var bench = try bench()
        #expect(counter(&bench) == "000001")
        #expect(counter(&bench) == "000001")
        #expect(bench.native(0xAD, octets("02400000060000")).data == Array("000002".utf8))
        #expect(bench.native(0xAD, octets("02400000060000")).data == Array("000002".utf8))
        #expect(counter(&bench) == "000003")
        _ = bench.native(0xF5, [0x02])
        #expect(counter(&bench) == "000004")
        _ = bench.send("00A4000C02E104")
        #expect(counter(&bench) == "000005")
        bench.card.powerOff()
        bench.select()
        #expect(counter(&bench) == "000006")
        // A read that fails does not count.
        #expect(bench.send("00B0820000").count == 258)
        _ = bench.native(0xF5, [0x02])
        #expect(bench.native(0xAD, octets("02000100000000")).status == 0xBE)
        #expect(bench.native(0xF6, [0x02]).data == octets("060000 0000"))
    }

    @Test func nothingIsMirroredInASession() throws {
        var bench = try bench()
        bench.authenticate(0)
        #expect(bench.secure(0xAD, header: octets("02000000000000"), .plain).data == [UInt8](repeating: 0, count: 256))
        #expect(bench.secure(0xF6, header: [0x02], .plain).data == octets("0000000000"))
    }

    @Test func aReadInChunksIsTheWholeRead() throws {
        var bench = try bench("C1 FF00 200000 400000 400000")
        let whole = bench.readFile()
        let chunks = [0x00, 0x10, 0x28, 0x3E, 0x48].map { start in
            bench.send("00B082" + hex([UInt8(start)]) + "28").prefix(0x28)
        }
        for (start, chunk) in zip([0x00, 0x10, 0x28, 0x3E, 0x48], chunks) {
            #expect(Array(whole[start..<start + 0x28]) == Array(chunk))
        }
        _ = bench.send("00A4000C02E104")
        #expect(bench.readFile() != whole)
    }

    @Test func theCounterStopsAtItsLimit() throws {
        var bench = try bench("E1 FEE0 200000 400000 600000 600000 020000")
        #expect(counter(&bench) == "000001")
        _ = bench.native(0xF5, [0x02])
        #expect(counter(&bench) == "000002")
        _ = bench.native(0xF5, [0x02])
        #expect(bench.send("00B0820001") == octets("6982"))
        #expect(bench.native(0xAD, octets("02000000010000")).status == 0x9D)
        #expect(bench.native(0xF6, [0x02]).data == octets("020000 0000"))
        bench.authenticate(0)
        #expect(bench.secure(0xAD, header: octets("02000000010000"), .plain).status == 0x00)
    }

    @Test func theCounterDoesNotOverflow() throws {
        var bench = try bench(readCounter: 0xFF_FFFE)
        #expect(counter(&bench) == "FFFFFF")
        _ = bench.native(0xF5, [0x02])
        #expect(bench.native(0xAD, octets("02000000010000")).status == 0x1E)
        #expect(bench.send("00B0820001") == octets("6982"))
    }

    @Test func theFileReadKeyLetsAnybodyRead() throws {
        var open = try bench(rights: 0xF000)
        #expect(counter(&open) == "000001")
        var closed = try bench("C1 FEEF 200000 400000", rights: 0x0000)
        #expect(closed.send("00B0820001") == octets("6982"))
        #expect(closed.native(0xAD, octets("02000000010000")).status == 0xAE)
        // Without a key for the file, there is no MAC, but the mirrors are still there.
        var free = try bench("C1 FEEF 200000 400000")
        let content = free.readFile()
        #expect(Array(content[0x20..<0x2E]) == Array("04958CAA5C5E80".utf8))
        #expect(content[0x60..<0x70].allSatisfy { $0 == 0 })
    }

    @Test func theCounterMayStayHidden() throws {
        var bench = try bench("C1 FEEF 200000 FFFFFF")
        #expect(bench.readFile()[0x2E...].dropLast(2).allSatisfy { $0 == 0 })
        #expect(bench.native(0xF6, [0x02]).data == octets("010000 0000"))
    }

    @Test(
        arguments: [("F0", 0, 0x00), ("F0", 1, 0xAE), ("FE", nil, 0x00), ("F0", nil, 0xAE), ("FF", 0, 0x9D)]
            as [(String, UInt8?, UInt8)])
    func theCounterIsReadByItsRight(right: String, key: UInt8?, status: UInt8) throws {
        var bench = try bench("C1 \(right)E0 200000 400000 600000 600000", readCounter: 0x010203)
        if let key { bench.authenticate(key) }
        let answer = bench.secure(0xF6, header: [0x02], key == nil ? .plain : .full)
        #expect(answer.status == status)
        if status == 0 { #expect(answer.data == octets("030201 0000")) }
    }

    @Test func switchingOnBeginsAtZeroAndChangingDoesNot() throws {
        var bench = try bench(readCounter: 5)
        bench.authenticate()
        let settings = octets("40 00E0 E1 FEE0 200000 400000 600000 600000")
        #expect(bench.secure(0x5F, header: [0x02], settings + octets("050000"), .full).status == 0x9E)
        bench.authenticate()
        #expect(bench.secure(0x5F, header: [0x02], settings + octets("060000"), .full).status == 0x00)
        #expect(bench.card.memory.files[1].readCounter == 5)
        #expect(bench.secure(0x5F, header: [0x02], octets("00 00E0"), .full).status == 0x00)
        #expect(bench.secure(0x5F, header: [0x02], settings + octets("010000"), .full).status == 0x00)
        #expect(bench.card.memory.files[1].readCounter == 0)
    }
}
