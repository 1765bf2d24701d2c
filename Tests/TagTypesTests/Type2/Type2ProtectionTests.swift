// Protection by a password or key: order of writes, refusals, and a fault at every command
import Chips
import Hexadecimal
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct Type2ProtectionTests {
    private static let credential = Type2Secrets.credential
    private static let key = Type2Secrets.key

    // MARK: Order

    @Test func protectingAnNTAG213ProvesThePasswordBeforeItIsAskedFor() throws {
        let channel = RecordingChannel(ChipCard.ntag213())
        try Type2Tag(on: channel).protect(.readingAndWriting, from: 4, with: Self.credential, limit: 3)
        let changes = channel.commands.filter { [0xA2, 0x1B].contains($0[0]) }.map { $0.hex }
        #expect(
            changes == [
                "A22B11223344", "A22C55660000", "1B11223344", "A22A83000000", "1B11223344", "A22900000004",
                "1B11223344",
            ])
    }

    @Test func unprotectingAnNTAG213OpensItBeforeThePasswordChanges() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 4, with: Self.credential)
        let channel = RecordingChannel(card)
        try Type2Tag(on: channel).unprotect(Self.credential)
        let changes = channel.commands.filter { $0[0] == 0xA2 || $0 == bytes("1BFFFFFFFF") }
        #expect(
            changes.map { $0.hex } == [
                "A229000000FF", "A22A00000000", "A22BFFFFFFFF", "A22C00000000", "1BFFFFFFFF",
            ])
    }

    @Test func protectionAndItsRemovalWorkOnEveryChipThatHasIt() throws {
        for (card, credential) in Type2Secrets.protectable {
            let delivered = card.blocks
            try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 6, with: credential)
            #expect(card.auth0 == 6 && card.protectsReading)
            #expect(card.blocks[3] == delivered[3])
            let stranger = Type2Tag(on: RecordingChannel(card))
            #expect(throws: TagError.self) { try stranger.writeNDEF([0xD0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]) }
            let owner = Type2Tag(on: RecordingChannel(card))
            try owner.authenticate(credential)
            try owner.writeNDEF(message(40))
            #expect(try owner.readNDEF() == message(40))
            try owner.unprotect(credential)
            #expect(!card.isProtected)
            #expect(card.pwd == [0xFF, 0xFF, 0xFF, 0xFF] && card.pack == [0x00, 0x00])
            if case .key = card.secret { #expect(card.key == .delivered) }
            if case .aes = card.secret { #expect(card.key == .deliveredAES && card.access == 0x80) }
        }
    }

    @Test func aProtectedTagGetsAnotherPasswordAfterAuthentication() throws {
        let card = ChipCard.ntag213()
        try Type2Tag(on: RecordingChannel(card)).protect(.writing, from: 4, with: Self.credential, limit: 2)
        let tag = Type2Tag(on: RecordingChannel(card))
        #expect(throws: TagError.passwordNeeded(block: 4)) {
            try tag.protect(.writing, from: 4, with: .password(.delivered))
        }
        try tag.authenticate(Self.credential)
        let other = try #require(Type2Password(pwd: [9, 8, 7, 6]))
        try tag.protect(.writing, from: 8, with: .password(other))
        #expect(card.pwd == [9, 8, 7, 6] && card.auth0 == 8 && card.access == 0)
    }

    @Test("The configuration of a locked tag is protected, and its password and settings can be changed")
    func lockedTag() throws {
        for (card, credential) in Type2Secrets.protectable {
            card.blocks[2] = bytes("7248FFFF")
            let open = Type2Tag(on: RecordingChannel(card))
            #expect(try open.detect().status == .readOnly)
            let first = try #require(open.memory.chip?.protection).auth0Address / 4
            try open.protect(.writing, from: first, with: credential)
            #expect(card.auth0 == first && !card.protectsReading)
            let tag = Type2Tag(on: RecordingChannel(card))
            #expect(throws: TagError.passwordNeeded(block: first)) {
                try tag.protect(.writing, from: 4, with: credential)
            }
            try tag.authenticate(credential)
            try tag.protect(.readingAndWriting, from: 4, with: credential)
            #expect(card.auth0 == 4 && card.protectsReading)
        }
    }

    // MARK: Refusals

    @Test func whatCannotBeProtectedIsRefusedBeforeAnyWrite() throws {
        let frozen = ChipCard.ntag213()
        frozen.blocks[42]?[0] = 0x40
        let lockedKey = ChipCard.ultralightC()
        lockedKey.blocks[40]?[1] = 0x80
        let (frozenAES, lockedAES) = (ChipCard.ultralightAES(), ChipCard.ultralightAES())
        frozenAES.blocks[42]?[0] = 0xC0
        lockedAES.blocks[45]?[0] = 0x40
        let rows: [(ChipCard, Type2Credential, Int, Int)] = [
            (frozenAES, .key(Self.key), 4, 0), (lockedAES, .key(Self.key), 4, 0),
            (.ultralightAES(), Self.credential, 4, 0), (.ultralightAES(), .key(Self.key), 4, 1024),
            (frozen, Self.credential, 4, 0), (lockedKey, .key(Self.key), 4, 0),
            (.ntag203(), Self.credential, 4, 0), (.ntagI2C2k(), Self.credential, 4, 0),
            (.ntag213(), .key(Self.key), 4, 0), (.ultralightC(), Self.credential, 4, 0),
            (.ntag213(), Self.credential, 42, 0), (.ntag213(), Self.credential, -1, 0),
            (.ntag213(), Self.credential, 4, 8), (.ultralightC(), .key(Self.key), 2, 0),
            (.ultralightC(), .key(Self.key), 4, 1),
        ]
        for (card, credential, block, limit) in rows {
            let channel = RecordingChannel(card)
            let thrown: TagError? = error { () throws(TagError) in
                try Type2Tag(on: channel).protect(.writing, from: block, with: credential, limit: limit)
            }
            switch thrown {
            case .unsupported?, .readOnly?: break
            default: Issue.record("\(String(describing: thrown)) from block \(block)")
            }
            #expect(!channel.commands.contains { $0[0] == 0xA2 })
        }
    }

    // MARK: Faults

    /// Whatever the fault, the tag is open or its password is a known one, and everything reported as done is done.
    @Test func aFaultAtAnyCommandLeavesNoUnknownPasswordAndNoFalseReport() throws {
        var cases = 0
        for index in Type2Secrets.protectable.indices {
            for isRemoval in [false, true] {
                let credential = Type2Secrets.protectable[index].1
                let clean = RecordingChannel(try prepared(index, isRemoval))
                try run(isRemoval, credential, on: clean)
                for at in 0..<clean.commands.count {
                    for fault in [
                        RecordingChannel.Fault.lost(at: at, after: false), .lost(at: at, after: true),
                        .silence(at: at, after: false), .silence(at: at, after: true),
                    ] {
                        let card = try prepared(index, isRemoval)
                        let thrown: TagError? = error { () throws(TagError) in
                            try run(isRemoval, credential, on: RecordingChannel(card, fault: fault))
                        }
                        check(card, credential, thrown, isRemoval)
                        cases += 1
                    }
                }
            }
        }
        #expect(cases > 400)
    }

    private func prepared(_ index: Int, _ isRemoval: Bool) throws -> ChipCard {
        let (card, credential) = Type2Secrets.protectable[index]
        if isRemoval {
            try Type2Tag(on: RecordingChannel(card)).protect(.readingAndWriting, from: 4, with: credential)
        }
        return card
    }

    private func run(
        _ isRemoval: Bool, _ credential: Type2Credential, on channel: RecordingChannel
    ) throws(TagError) {
        let tag = Type2Tag(on: channel)
        if isRemoval {
            try tag.unprotect(credential)
        } else {
            try tag.protect(.readingAndWriting, from: 4, with: credential)
        }
    }

    private func check(_ card: ChipCard, _ credential: Type2Credential, _ thrown: TagError?, _ isRemoval: Bool) {
        let isSecretKnown =
            switch credential {
            case .password(let password): card.pwd == password.pwd && card.pack == password.pack
            case .key(let key): card.key == key
            }
        #expect(!card.isProtected || isSecretKnown)
        guard let thrown else {
            #expect(card.isProtected != isRemoval)
            #expect(isSecretKnown != isRemoval)
            return
        }
        guard case .protectionInterrupted(let done, let missing, _) = thrown else { return }
        #expect(!missing.isEmpty)
        if done.contains("protection from block 4") { #expect(card.auth0 == 4) }
        if done.contains("no block protected") { #expect(!card.isProtected) }
        if done.contains("access rules"), !isRemoval { #expect(card.protectsReading) }
        if done.contains("password") || done.contains("key") { #expect(isSecretKnown != isRemoval) }
    }
}
