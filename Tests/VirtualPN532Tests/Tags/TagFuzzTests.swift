// No input makes a virtual tag trap, with fixed seeds

import Chance
import Testing
@testable import VirtualPN532

@Suite struct TagFuzzTests {
    /// First bytes with the length of a well-formed frame.
    private static let commands: [(UInt8, Int)] = [
        (0x30, 2), (0x3A, 3), (0xA2, 6), (0xA0, 2), (0x1B, 5), (0x39, 2), (0xA5, 6), (0x3E, 2), (0x3C, 2), (0x60, 1),
        (0x4B, 21), (0x50, 2), (0xE0, 2), (0x02, 10), (0x03, 14), (0x12, 20), (0x13, 20), (0x0A, 12), (0xB2, 1),
        (0xA3, 1),
        (0xC2, 1), (0xD0, 2), (0xC2, 2), (0x03, 4), (0x1A, 2), (0xAF, 17),
    ]

    /// Returns a frame that is random or, in half of the cases, has the first byte and the length of a command.
    private static func frame(using random: inout TearNoise) -> [UInt8] {
        let command = Bool.random(using: &random) ? commands.randomElement(using: &random) : nil
        let length = command?.1 ?? Int.random(in: 0...24, using: &random)
        let rest = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let command else { return rest }
        // Often choose a low block number, which every chip has.
        let second = rest.dropFirst().prefix(1).map { $0 & 0x80 == 0 ? $0 >> 3 : $0 }
        return [command.0] + second + rest.dropFirst(2)
    }

    @Test(arguments: VirtualTagKind.inFiles.filter { $0.make() is any TypeATag })
    func randomFramesNeverTrapAndKeepTheFactorysBytes(kind: VirtualTagKind) throws {
        var random = TearNoise(seed: Array(kind.rawValue.utf8))
        var changes = 0
        // Use many tags, because random writes soon lock a tag, especially an Ultralight C and a read-only tag.
        for serial in 0..<800 where serial < 20 || changes <= 20 {
            let tag = try kind.file(serial: serial)
            let typeA = tag as? any TypeATag
            for _ in 0..<Campaign.count(250, long: 1_000) {
                let frame = Self.frame(using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: tag.receiveTorn(frame)
                case 1: _ = typeA?.poll(wakeUp: Bool.random(using: &random))
                case 2, 3: typeA?.activate().send("1B FF FF FF FF")
                case 4: typeA?.activate().send("E0 80")
                case 5: typeA?.activate()
                default: break
                }
                _ = tag.receive(frame)
            }
            if let tag = tag as? VirtualType2Tag {
                let memory = tag.contents
                let plain = tag.chip.family == .ntagI2C
                #expect(Array(plain ? memory[0..<7] : memory[0..<3] + memory[4..<8]) == tag.nfcID1)
            }
            if let tag = tag as? VirtualClassicTag { fuzzCiphered(tag, using: &random) }
            changes += tag.generation
            #expect(try FlipperFile.parse(tag.flipperText).flipperText == tag.flipperText)
        }
        #expect(changes > 20 || (kind.make() as? any TypeATag)?.selRes == 0x20)
    }

    /// Blocks with random commands, and random frames.
    @Test(arguments: [VirtualTagKind.applicationCard, .passport, .mifarePlus])
    func randomBlocksNeverTrap(kind: VirtualTagKind) throws {
        var random = TearNoise(seed: Array(kind.rawValue.utf8))
        let tag = try #require(kind.make() as? any TypeATag)
        let commands: [[UInt8]] = [
            [0x00, 0xA4, 0x04, 0x00], [0x80, 0xE1, 0x00], [0x90, 0xE0, 0x00, 0x00], [0x60], [0xAF], [0x90, 0x60, 0x00],
        ]
        var answered = 0
        for round in 0..<10_000 {
            if round % 50 == 0 { tag.activate().send("E0 \(["00", "50", "80"][round / 50 % 3])") }
            let pcb: UInt8 = [0x02, 0x03, 0x12, 0x13, 0xA2, 0xB3].randomElement(using: &random) ?? 0
            let command = commands.randomElement(using: &random) ?? []
            let rest = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...9, using: &random) }
            let frame = Int.random(in: 0..<8, using: &random) == 0 ? rest : [pcb] + command + rest
            if tag.receive(frame).answer != .silence { answered += 1 }
        }
        #expect(answered > 5_000)
        #expect(tag.generation == 0)
    }

    /// Ciphered frames, well-formed and not, in an authenticated sector.
    private func fuzzCiphered(_ tag: VirtualClassicTag, using random: inout TearNoise) {
        for _ in 0..<200 {
            if let key = tag.memory.key(.a, of: 1),
                case .bare(let nonce) = tag.activate().receive([0x60, 0x04]).answer
            {
                let uid = Array(tag.nfcID1.suffix(4))
                _ = tag.receiveCiphered(CRYPTO1.readerAnswer(key: key, uid: uid, nonce: nonce))
            }
            for _ in 0..<4 {
                let code: UInt8 = [0x30, 0xA0, 0xC0, 0xC1, 0xC2, 0xB0, 0x50, 0x61].randomElement(using: &random) ?? 0
                let command = [code, UInt8.random(in: 3...8, using: &random)]
                let size = [4, 16, Int.random(in: 0...18, using: &random)].randomElement(using: &random) ?? 0
                let data = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                for frame in [command, data] {
                    let isValid = Int.random(in: 0..<8, using: &random) != 0
                    let whole = isValid ? frame + Checksum.typeA(frame) : frame
                    if Int.random(in: 0..<16, using: &random) == 0 { tag.receiveCipheredTorn(whole) }
                    _ = tag.receiveCiphered(whole)
                }
            }
        }
    }

    @Test func randomCommandsNeverTrap() {
        var random = TearNoise(seed: [0x14])
        var configuration = Type4Configuration()
        configuration.mappingVersion = .version3
        var application = NDEFApplication(configuration: configuration)
        let instructions: [UInt8] = [0xA4, 0xB0, 0xB1, 0xD6, 0xD7]
        var statusWords: Set<[UInt8]> = []
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...16, using: &random)
            var command = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) >> 3 }
            if length > 1 {
                (command[0], command[1]) = (0, instructions.randomElement(using: &random) ?? 0)
            }
            if length > 6, Bool.random(using: &random) { (command[4], command[5]) = (UInt8(length - 6), 0x54) }
            if Int.random(in: 0..<50, using: &random) == 0 {
                _ = application.execute(bytes("00 A4 04 00 07 D2 76 00 00 85 01 01"))
                _ = application.execute(bytes("00 A4 00 0C 02 E1 04"))
            }
            let answer = application.execute(command)
            #expect(answer.count >= 2)
            statusWords.insert(Array(answer.suffix(2)))
        }
        #expect(statusWords.count > 5)
    }

    /// Almost correct frames, in which some bytes of a valid one are changed, omitted or doubled.
    @Test(arguments: [
        (
            VirtualTagKind.feliCaLiteSNDEF,
            [
                "06 00 FF FF 01 0F", "10 06 IDM 01 0B 00 01 80 88", "16 06 IDM 01 0B 00 04 80 00 80 01 80 02 80 0D",
                "20 08 IDM 01 09 00 01 80 02 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F",
            ]
        ),
        (
            .type3,
            [
                "06 00 12 FC 00 00", "11 06 IDM 01 0B 00 01 00 40 00", "10 06 IDM 01 09 00 01 80 05",
                "20 08 IDM 01 09 00 01 80 02 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F",
            ]
        ),
        (
            .feliCaStandard,
            [
                "06 00 FF FF 01 0F", "0F 02 IDM 02 0F 09 FF FF", "0A 04 IDM", "0A 0C IDM", "0C 0A IDM 01 00",
                "0C 3C IDM 00 00",
                "13 06 IDM 02 0F 09 8B 00 01 00 05 00", "0D 32 IDM 01 00 00", "0C 3E IDM 00 00",
                "20 08 IDM 01 4D 10 01 80 00 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F",
            ]
        ),
        (
            .type4b,
            [
                "05 00 00", "05 00 08", "35", "1D IDM 00 08 01 00", "50 IDM", "02 00 A4 04 00 07 D2 76 00 00 85 01 01",
                "03 00 B0 00 00 0F", "C2", "B2", "A3",
            ]
        ),
    ])
    func garbledFramesNeverTrap(kind: VirtualTagKind, frames: [String]) throws {
        let tag = try #require(kind.make() as? any AddressedTag)
        let own = String(flipperBytes: tag.identifier)
        let frames = frames.map { bytes($0.replacing("IDM", with: own)) }
        var random = TearNoise(seed: Array(kind.rawValue.utf8))
        var answered = 0
        for _ in 0..<20_000 {
            var frame = frames.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0..<3, using: &random) where !frame.isEmpty {
                let index = frame.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: frame[index] = UInt8.random(in: 0...255, using: &random)
                case 1: frame.remove(at: index)
                case 2: frame.insert(frame[index], at: index)
                default: frame[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            if Int.random(in: 0..<200, using: &random) == 0 { tag.fieldOff() }
            if Int.random(in: 0..<200, using: &random) == 0 { tag.receiveTorn(frame) }
            _ = tag.isCommand(frame)
            if tag.receive(frame).answer != .silence { answered += 1 }
        }
        #expect(answered > 1_000)
    }

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .type4b, .feliCaLiteS, .type3, .classic1k, .ntag424])
    func randomFilesNeverTrap(kind: VirtualTagKind) throws {
        var random = TearNoise(seed: [0x4E])
        let text = Array(try kind.file().flipperText.utf8)
        for _ in 0..<Campaign.count(600, long: 3_000) {
            var changed = text
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &random)
                case 1: changed.remove(at: index)
                default:
                    changed.insert(Array("0123456789ABCDEF:\n -".utf8).randomElement(using: &random) ?? 0, at: index)
                }
            }
            if let tag = try? FlipperFile.parse(String(decoding: changed, as: UTF8.self)) {
                (tag as? any TypeATag)?.activate()
                tag.send("30 00")
                #expect(tag.flipperText.hasPrefix("Filetype: Flipper NFC device\nVersion: 4\n"))
            }
        }
    }
}
