// Nothing that comes in makes a virtual tag trap — fixed seeds

import Testing
@testable import VirtualPN532

@Suite struct TagFuzzTests {
    /// First bytes with the length of a well-formed frame.
    private static let commands: [(UInt8, Int)] = [
        (0x30, 2), (0x3A, 3), (0xA2, 6), (0xA0, 2), (0x1B, 5), (0x39, 2), (0xA5, 6), (0x3E, 2), (0x3C, 2), (0x60, 1),
        (0x4B, 21), (0x50, 2), (0xE0, 2), (0x02, 10), (0x03, 14), (0x12, 20), (0x13, 20), (0x0A, 12), (0xB2, 1),
        (0xA3, 1),
        (0xC2, 1), (0xD0, 2),
    ]

    /// Half of the frames random, half with the beginning and the length of a command.
    private static func frame(using random: inout TearNoise) -> [UInt8] {
        let command = Bool.random(using: &random) ? commands.randomElement(using: &random) : nil
        let length = command?.1 ?? Int.random(in: 0...24, using: &random)
        let rest = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let command else { return rest }
        // A low second byte is a block that every chip has.
        let second = rest.dropFirst().prefix(1).map { $0 & 0x80 == 0 ? $0 >> 3 : $0 }
        return [command.0] + second + rest.dropFirst(2)
    }

    @Test(arguments: VirtualTagKind.allCases)
    func randomFramesNeverTrapAndKeepTheFactorysBytes(kind: VirtualTagKind) throws {
        var random = TearNoise(seed: Array(kind.rawValue.utf8))
        var changes = 0
        // Many tags, since random writes soon lock a tag up.
        for serial in 0..<20 {
            let tag = kind.make(serial: serial)
            for _ in 0..<1_000 {
                let frame = Self.frame(using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: tag.receiveTorn(frame)
                case 1: _ = tag.poll(wakeUp: Bool.random(using: &random))
                case 2, 3: tag.activate().send("1B FF FF FF FF")
                case 4: tag.activate().send("E0 80")
                case 5: tag.activate()
                default: break
                }
                _ = tag.receive(frame)
            }
            if let tag = tag as? VirtualType2Tag {
                #expect(Array(tag.contents[0..<3] + tag.contents[4..<8]) == tag.nfcID1)
            }
            if let tag = tag as? VirtualClassicTag { fuzzCiphered(tag, using: &random) }
            changes += tag.generation
            #expect(try FlipperFile.parse(tag.flipperText).flipperText == tag.flipperText)
        }
        #expect(changes > 20 || kind.make().selRes == 0x20)
    }

    /// Ciphered frames, well-formed and not, in an authenticated sector.
    private func fuzzCiphered(_ tag: VirtualClassicTag, using random: inout TearNoise) {
        for _ in 0..<200 {
            let key = tag.memory.key(.a, of: 1)
            if case .bare(let nonce) = tag.activate().receive([0x60, 0x04]).answer {
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
                    let whole = isValid ? frame + CRCA.checksum(frame) : frame
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

    @Test(arguments: [VirtualTagKind.ntag213, .type4, .classic1k, .ntag424])
    func randomFilesNeverTrap(kind: VirtualTagKind) {
        var random = TearNoise(seed: [0x4E])
        let text = Array(kind.make().flipperText.utf8)
        for _ in 0..<3_000 {
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
                tag.activate().send("30 00")
                #expect(tag.flipperText.hasPrefix("Filetype: Flipper NFC device\nVersion: 4\n"))
            }
        }
    }
}
