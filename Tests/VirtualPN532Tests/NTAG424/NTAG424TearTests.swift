// Power failures, and files that store a chip — NXP NT4H2421Gx, 8.5, 8.6, 10.8.2

import Testing

@testable import VirtualPN532

@Suite struct NTAG424TearTests {
    @Test(arguments: [false, true])
    func aWriteInOneFrameIsWholeOrNotThere(isStored: Bool) {
        var bench = NTAG424Bench()
        let command = NTAG424Bench.wrapped(0x8D, octets("02000000640000") + [UInt8](repeating: 0xAA, count: 100))
        bench.tear(command, isStored: isStored)
        let content = bench.card.memory.files[1].content
        #expect(content.prefix(100).allSatisfy { $0 == (isStored ? 0xAA : 0x00) })
        #expect(content.dropFirst(100).allSatisfy { $0 == 0x00 })
    }

    @Test(arguments: [false, true])
    func keysAndSettingsAreOldOrNew(isStored: Bool) {
        var bench = NTAG424Bench()
        let key = Array(0x10..<0x20) as [UInt8]
        bench.authenticate()
        bench.tear(
            NTAG424Bench.wrapped(0xC4, bench.protected(0xC4, header: [0x00], key + [0x01], .full)), isStored: isStored)
        bench.select()
        #expect(bench.authenticate(key: isStored ? key : NTAG424Bench.zeroKey) == 0)
        bench.tear(
            NTAG424Bench.wrapped(0x5F, bench.protected(0x5F, header: [0x02], octets("01 00E0"), .full)),
            isStored: isStored)
        bench.select()
        #expect(bench.native(0xF5, [0x02]).data == octets(isStored ? "00 01 00E0 000100" : "00 00 E0EE 000100"))
    }

    /// The received frames of a chained write are written, whatever happens to the last frame.
    @Test(arguments: [NTAG424Mode.plain, .mac, .full])
    func aChainedWriteLeavesItsFirstFrames(mode: NTAG424Mode) {
        let data = [UInt8](repeating: 0xAA, count: 160)
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        (memory.files[1].communication, memory.files[1].accessRights) = (mode.rawValue, 0x0000)
        for isStored in [nil, false, true] as [Bool?] {
            var bench = NTAG424Bench(memory)
            bench.authenticate()
            let command = NTAG424Bench.wrapped(
                0x8D, bench.protected(0x8D, header: octets("02000000A00000"), data, mode))
            bench.card.begin(Array(command.prefix(125)))
            if let isStored { bench.tear(command, isStored: isStored) } else { bench.card.powerOff() }
            let written = bench.card.memory.files[1].content.prefix { $0 == 0xAA }.count
            #expect(bench.card.memory.files[1].content.dropFirst(written).allSatisfy { $0 == 0 })
            #expect(isStored == true ? written == 160 : (96...113).contains(written), "\(written)")
        }
        // A wrong MAC comes too late for the first frames.
        guard mode != .plain else { return }
        var bench = NTAG424Bench(memory)
        bench.authenticate()
        var command = NTAG424Bench.wrapped(0x8D, bench.protected(0x8D, header: octets("02000000A00000"), data, mode))
        command[command.count - 2] ^= 1
        bench.card.begin(Array(command.prefix(125)))
        #expect(bench.card.execute(command) { $0 } == octets("911E"))
        #expect((96...113).contains(bench.card.memory.files[1].content.prefix { $0 == 0xAA }.count))
        // Without chained writing, the command is refused immediately.
        bench.card.memory = memory
        bench.card.memory.configuration.hasChainedWriting = false
        bench.authenticate()
        command = NTAG424Bench.wrapped(0x8D, bench.protected(0x8D, header: octets("02000000A00000"), data, mode))
        bench.card.begin(Array(command.prefix(125)))
        #expect(bench.card.execute(command) { $0 } == octets("919D"))
        #expect(bench.card.memory.files[1].content.allSatisfy { $0 == 0 })
    }

    @Test func aChainThatBreaksOffOnTheAirLeavesItsFirstFrame() throws {
        let tag = try #require(VirtualTagKind.ntag424.make() as? VirtualNTAG424Tag)
        tag.activate().send("E0 80")
        tag.send("02 00 A4 04 00 07 D2 76 00 00 85 01 01 00")
        tag.send("03 00 A4 00 0C 02 E1 04")
        #expect(tag.send("12 00 D6 00 00 C8 01 02 03") == "A2")
        tag.fieldOff()
        #expect(tag.file([0xE1, 0x04])?.prefix(4) == [1, 2, 3, 0])
    }

    @Test func failuresAreCountedWhateverHappensToThePower() {
        var bench = NTAG424Bench()
        _ = bench.native(0x71, [0x00, 0x00])
        bench.tear(NTAG424Bench.wrapped(0xAF, [UInt8](repeating: 0x11, count: 32)), isStored: false)
        #expect(bench.card.memory.keys[0].totalFailures == 1)
    }

    @Test func aFileKeepsTheWholeChip() throws {
        var memory = try NTAG424Memory.dynamic(
            "example.com/?u=00000000000000x000000", sdm: "E1 FEEF 160000 250000 100000", readCounter: 0)
        memory.files[1].readCounter = 0x10
        memory.files[2].communication = 0x01
        for index in memory.keys.indices {
            memory.keys[index].cipher = BlockCipher(algorithm: .aes, key: Array(repeating: UInt8(index), count: 16))
            memory.keys[index].version = UInt8(0x80 + index)
        }
        (memory.keys[3].totalFailures, memory.keys[3].failuresInARow, memory.keys[3].spentDelays) = (700, 60, 300)
        memory.configuration = NTAG424Configuration(
            hasRandomID: true, hasChainedWriting: false, usesLRP: true, capabilities: [0x12, 0x34], failureLimit: nil,
            failureDecrement: 3, hasStrongBackModulation: false)
        memory.production = octets("CF5D9045104621")
        memory.signature[55] = 0x99
        let tag = VirtualNTAG424Tag(memory: memory)
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualNTAG424Tag)
        #expect(loaded.memory == memory)
        #expect(loaded.flipperText == tag.flipperText)
        #expect(tag.flipperText.contains("UID: 04 95 8C AA 5C 5E 80\n"))
    }

    /// Files of nfctool 1.0, in which the chip was a DESFire that could not be formatted.
    @Test func anOlderFileLoads() throws {
        let tag = VirtualNTAG424Tag(memory: NTAG424Memory(uid: NTAG424Bench.uid))
        let own = [
            "Failures", "Read Counter", "Random ID", "Chained", "LRP", "PDCap2", "Failure", "Strong", "Signature",
        ]
        let text = tag.flipperText.split(separator: "\n").filter { line in !own.contains { line.contains($0) } }
            .joined(separator: "\n")
        #expect(text.count < tag.flipperText.count)
        let loaded = try #require(try FlipperFile.parse(text) as? VirtualNTAG424Tag)
        #expect(loaded.memory == tag.memory)
        for (old, new) in [
            ("File 3: 00", "File 3:"), ("Settings: 03", "Settings: 07"),
            ("Memory Fixed: true", "Memory Fixed: true\nApplication 010000 File 2 SDM: C1"),
        ] {
            let changed = text.replacing(old, with: new)
            #expect(throws: FlipperFileError.self) { try FlipperFile.parse(changed) }
        }
    }

    @Test func randomCommandsNeverTrap() {
        var random = TearNoise(seed: [0x42, 0x4D])
        let codes = octets("71 77 AF 60 51 64 F5 F6 5F C4 5C AD 8D 3C 90 A4")
        var statuses: Set<UInt8> = []
        for round in 0..<60 {
            var bench = NTAG424Bench()
            if round % 2 == 0 { bench.authenticate(UInt8(round % 5)) }
            for _ in 0..<200 {
                let count = Int.random(in: 0..<24, using: &random)
                let data = (0..<count).map { _ in
                    Bool.random(using: &random)
                        ? UInt8.random(in: 0...4, using: &random) : .random(in: 0...255, using: &random)
                }
                let code = codes.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<8, using: &random) {
                case 0: _ = bench.card.execute([0x00, code] + data) { $0 }
                case 1: bench.card.begin(NTAG424Bench.wrapped(code, data))
                case 2: bench.card.powerOff()
                case 3: bench.select()
                default: statuses.insert(bench.native(code, data).status)
                }
            }
        }
        #expect(statuses.isSuperset(of: [0x00, 0x7E, 0x9E, 0xAE, 0xAF, 0xCA, 0x1C, 0x40, 0x9D, 0xF0]))
    }
}
