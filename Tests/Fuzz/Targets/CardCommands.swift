// Commands for particular chips, and commands that other programs send to the tag that this program emulates

import ReaderInterface
import SecureDynamicMessaging
import TagImage
import VirtualPN532

@testable import NTAG424DNA
@testable import TagTypes

extension FuzzTarget {
    static let cardCommands = [
        FuzzTarget("ntag424", seeds: ntagSeeds) { bytes in
            var tape = Tape(bytes)
            let hasSession = tape.byte() & 1 == 0
            let key = AES128Key([UInt8](repeating: 0, count: 16))
            let session = key.map {
                NTAG424Session(keyNumber: 0, transaction: [1, 2, 3, 4], cipherKey: $0, codeKey: $0)
            }
            let channel = TapedChannel(tape, card: .files)
            var tag = NTAG424(over: channel, session: hasSession ? session : nil) { [UInt8](repeating: 1, count: 16) }
            _ = try? tag.version()
            _ = try? tag.select()
            if let key { _ = try? tag.authenticate(0, key) }
            if let key { _ = try? tag.authenticateNext(1, key) }
            _ = try? tag.cardUID()
            _ = try? tag.keyVersion(1)
            _ = try? tag.fileSettings(.ndef)
            try require(!channel.isEndless, "the decoder keeps sending commands to the tag")
        },
        FuzzTarget("type2-authentication", seeds: passwordSeeds) { bytes in
            var tape = Tape(bytes)
            let kinds: [VirtualTagKind] = [.ntag213, .ultralightC, .ultralightAES, .ntag223DNA, .ntag224DNA]
            let kind = kinds[tape.number(below: kinds.count)]
            let credentials: [Type2Credential?] = [
                Type2Password(pwd: [0xFF, 0xFF, 0xFF, 0xFF]).map { .password($0) }, .key(.delivered),
                .key(.deliveredAES),
            ]
            guard let credential = credentials[tape.number(below: credentials.count)] else { return }
            let channel = TapedChannel(tape, card: .virtual(kind))
            let tag = TagDetection.tag(on: channel, patience: TapedChannel.patience)
            guard let tag = tag as? Type2Tag else { return }
            _ = try? tag.attemptLimit(for: .writing, with: credential)
            _ = try? tag.authenticate(credential)
            _ = try? tag.readNDEF()
            try require(!channel.isEndless, "the decoder keeps sending commands to the tag")
        },
        FuzzTarget("felica-commands", seeds: [octets("0C 0C 0B 01 0001020304050607 00 00 0C")] + tapes) { bytes in
            let channel = TapedChannel(Tape(bytes), card: .image(.type3))
            let card = FeliCaCommands(over: channel, idm: octets("02FE010203040506"))
            _ = try? card.requestService(nodes: [[0, 9]])
            _ = try? card.requestResponse()
            _ = try? card.requestSystemCode()
            _ = try? card.requestSpecificationVersion()
            _ = try? card.read(services: [[0x0B, 0]], blocks: [[0x80, 0]])
            _ = try? card.resetMode()
        },
        FuzzTarget("apdu-exchange", seeds: [octets("0C 02 6108 0C 04 01029000"), octets("0C 02 6C05 0C 02 6C05")]) {
            bytes in
            let channel = TapedChannel(Tape(bytes), card: .files)
            let command = CommandAPDU(ins: 0xB0, p1: 0, p2: 0, ne: 256)
            for _ in 0..<3 { _ = try? APDUExchange(over: channel).send(command) }
            _ = try? RawAPDUExchange(over: channel).send(command)
            try require(!channel.isEndless, "the decoder keeps sending commands to the card")
        },
        FuzzTarget(
            "emulated-tag",
            seeds: [
                octets(
                    "0D 00A4040007D276000085010100 07 00A4000C02E103 05 00B000000F 07 00A4000C02E104 08 00D6000003D00000"
                )
            ]
        ) { bytes in
            var tape = Tape(bytes)
            var tag = try EmulatedType4Tag(message: [0xD0, 0, 0], isWritable: true, capacity: 300)
            while !tape.isAtEnd {
                let answer = tag.response(to: tape.bytes())
                try require(2...258 ~= answer.count, "an answer of \(answer.count) bytes")
                _ = tag.message
            }
        },
    ]

    /// A chip, a password or key, and answers.
    ///
    /// The first answers are unchanged, and the following ones contain each kind of change.
    private static let passwordSeeds: [[UInt8]] = [[0, 0], [1, 1], [2, 2], [3, 0], [4, 2]].flatMap { choice in
        [choice] + (8..<16).map { choice + [0, 0, 0, $0, 3, 0xFF, 2, 0xAA] }
    }
    private static let tapes: [[UInt8]] = [[], [0x0B, 0x0C, 0x02, 1, 2], [0x0C, 3, 3, 0x0D, 0]]
    /// The answers to GetVersion, SELECT, and both parts of an authentication.
    private static let ntagSeeds: [[UInt8]] = [
        [1]
            + octets(
                "0C 09 04040230001105 91AF 0C 09 04040202011105 91AF 0C 10 04010203040506 000000000000 01 15 9100 0C 02 9000"
            )
            + octets("0C 12 00000000000000000000000000000000 91AF 0C 22")
            + [UInt8](repeating: 0, count: 32) + [0x91, 0x00],
        [0] + octets("0C 0A 0011223344556677 9100"), [1, 0x0C, 2, 0x91, 0xAD],
    ]
}
