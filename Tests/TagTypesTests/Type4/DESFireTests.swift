// DESFire and NTAG 4xx: names, creating an NDEF application, making it read-only
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct DESFireTests {
    private func tag(_ card: DESFireCard, fault: RecordingChannel.Fault? = nil) -> Type4Tag {
        Type4Tag(on: RecordingChannel(card, target: .type4, fault: fault))
    }

    private func initialised(_ message: [UInt8] = []) throws -> DESFireCard {
        let card = DESFireCard()
        try tag(card).initialise()
        if !message.isEmpty { try tag(card).writeNDEF(message) }
        return card
    }

    // MARK: Names

    /// Hardware frames according to NXP's data sheets.
    ///
    /// The storage byte of an EV1 4K is 18.
    @Test(arguments: [
        ("04010100021605", "MIFARE DESFire 2K"), ("04010101001605", "MIFARE DESFire EV1 2K"),
        ("04010101001805", "MIFARE DESFire EV1 4K"), ("04010101001A05", "MIFARE DESFire EV1 8K"),
        ("04010112001805", "MIFARE DESFire EV2 4K"), ("04010133001C05", "MIFARE DESFire EV3 16K"),
        ("04810133001A05", "MIFARE DESFire EV3 8K"), ("04040230001105", "NTAG 424 DNA"),
        ("04080130001305", "MIFARE DESFire Light"),
    ])
    func getVersionNamesTheChip(hardware: String, name: String) {
        let answer = bytes(hardware + "04010101041805")
        #expect(DESFireVersion(answer)?.chip == Chip(name: name, evidence: answer))
        for count in 0..<14 { #expect(DESFireVersion(Array(answer.prefix(count))) == nil) }
    }

    @Test func onlyTheMapAndABlankCardAreAskedForTheVersion() throws {
        let card = try initialised(message(10))
        let channel = RecordingChannel(card, target: .type4)
        let tag = Type4Tag(on: channel)
        _ = try tag.readNDEF()
        #expect(!channel.commands.contains { $0[0] == 0x90 })
        #expect(tag.chip?.name == "MIFARE DESFire")
        #expect(try tag.memoryMap().files.map(\.identifier) == [0xE103, 0xE104])
        #expect(tag.chip?.name == "MIFARE DESFire EV1 4K")
    }

    // MARK: Initialise

    /// AN11004's commands with free access, of which none needs a key.
    @Test func theApplicationIsMadeWithTheCapabilityContainerLast() throws {
        let card = DESFireCard()
        let channel = RecordingChannel(card, target: .type4)
        let tag = Type4Tag(on: channel)
        let blank = try tag.detect()
        #expect(blank.isBlank && blank.taken?.file == blank.capacity + 2)
        #expect((blank.taken?.free ?? 0) >= blank.capacity + 2 + 256)
        let first = channel.commands.count
        try tag.initialise()
        let sent = channel.commands[first...].filter { [0xCA, 0xCD, 0x3D].contains($0[1]) && $0[0] == 0x90 }
        #expect(
            sent == [
                bytes("90 CA 0000 0E 010000 0F 21 10E1 D2760000850101 00"),
                bytes("90 CD 0000 09 01 03E1 00 EEEE 0F0000 00"), bytes("90 CD 0000 09 02 04E1 00 EEEE 001200 00"),
                // There was no room for the file's header, so it is a little smaller.
                bytes("90 CD 0000 09 02 04E1 00 EEEE E01100 00"), bytes("90 CD 0000 09 02 04E1 00 EEEE C01100 00"),
                bytes("90 3D 0000 09 02 000000 020000 0000 00"),
                bytes("90 3D 0000 14 01 020000 0D0000 20003B00340406E10411C00000 00"),
                bytes("90 3D 0000 09 01 000000 020000 000F 00"),
            ])
        #expect(try self.tag(card).detect() == NDEFState(status: .readWrite, capacity: 0x11C0 - 2, messageLength: 0))
        #expect(error { () throws(TagError) in try tag.initialise() } == .notBlank)
        try self.tag(card).writeNDEF(message(4000))
        #expect(try self.tag(card).readNDEF() == message(4000))
    }

    /// A larger file would fit, but users who read the capacity of the blank card rely on this size.
    @Test(arguments: [0, 32])
    func anEV1Of8KHoldsWhatItIsPromised(headSize: Int) throws {
        let card = DESFireCard()
        (card.freeMemory, card.headSize) = (7936, headSize)
        let tag = self.tag(card)
        #expect(try tag.detect().capacity == 7678)
        try tag.initialise()
        #expect(try self.tag(card).detect() == NDEFState(status: .readWrite, capacity: 7678, messageLength: 0))
    }

    @Test func theApplicationStandsBesideOthers() throws {
        let card = DESFireCard()
        card.applications[1] = DESFireCard.Application(dfName: bytes("A000"))
        card.applications[1]?.files[1] = DESFireCard.File(iso: bytes("0001"), rights: 0, bytes: [1, 2, 3])
        try tag(card).initialise()
        #expect(card.applications.keys.sorted() == [1, 2])
        #expect(card.applications[1]?.files[1]?.bytes == [1, 2, 3])
    }

    @Test func whatCannotBecomeATagIsRefusedWithTheReason() throws {
        let cards: [(String, (DESFireCard) -> Void)] = [
            ("the first MIFARE DESFire", { $0.version = bytes("04010100021605 04010100061605") }),
            ("creating an application on it needs its PICC master key", { $0.piccSettings = 0x0B }),
            ("creating an application on it needs its PICC master key", { $0.piccSettings = 0x0D }),
            ("only 100 bytes", { $0.freeMemory = 100 }),
            (
                "it has no room for another",
                { card in
                    for number in 1...28 {
                        card.applications[number] = DESFireCard.Application(dfName: [UInt8(number)])
                    }
                }
            ),
            (
                "a blank Type 4 Tag is initialised by its chip's own",
                { $0.version = bytes("04040230001105 04040201021105") }
            ),
            (
                "its NDEF application was not created by nfctool",
                { card in
                    card.applications[9] = DESFireCard.Application(dfName: bytes("D2760000850101"))
                    card.applications[9]?.files[3] = DESFireCard.File(
                        iso: bytes("E104"), rights: 0xEEEE, bytes: [0, 0])
                }
            ),
            (
                "its NDEF application was not created by nfctool",
                { card in
                    card.applications[9] = DESFireCard.Application(dfName: bytes("D2760000850101"))
                    card.applications[9]?.files[2] = DESFireCard.File(
                        iso: bytes("E104"), rights: 0xEEEE, bytes: [0, 1] + Array(repeating: 0, count: 62))
                }
            ),
        ]
        for (reason, change) in cards {
            let card = DESFireCard()
            change(card)
            #expect(try !tag(card).detect().isBlank)
            guard case .unsupported(let found)? = error({ () throws(TagError) in try tag(card).initialise() }) else {
                Issue.record("\(reason)")
                continue
            }
            #expect(found.hasPrefix(reason))
            #expect(card.changes.isEmpty)
        }
    }

    @Test func initialiseGoesOnWhereItWasCutOff() throws {
        let whole = RecordingChannel(DESFireCard(), target: .type4)
        try Type4Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = DESFireCard()
                let failure = error { () throws(TagError) in
                    try tag(card, fault: .lost(at: number, after: after)).initialise()
                }
                #expect(failure == .reader(.tagLost), "at \(number)")
                let state = try tag(card).detect()
                #expect(state.isBlank || state.messageLength == 0, "at \(number)")
                if state.isBlank { try tag(card).initialise() }
                #expect(try tag(card).detect().status == .readWrite, "at \(number)")
                #expect(card.applications.count == 1)
            }
        }
    }

    @Test func oneLostAnswerDoesNotStopInitialising() throws {
        let whole = RecordingChannel(DESFireCard(), target: .type4)
        try Type4Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for after in [false, true] {
                let card = DESFireCard()
                try tag(card, fault: .silence(at: number, after: after)).initialise()
                #expect(try tag(card).detect().status == .readWrite, "at \(number)")
                #expect(card.applications.count == 1)
            }
        }
    }

    /// Each answer is truncated at each byte.
    ///
    /// The result is an error or the same result, never a trap.
    @Test func everyTruncatedAnswerEndsInATypedErrorOrATag() throws {
        let whole = RecordingChannel(DESFireCard(), target: .type4)
        try Type4Tag(on: whole).initialise()
        for number in 0..<whole.commands.count {
            for length in 0..<16 {
                let card = Truncating(DESFireCard(), at: number, length: length)
                let channel = RecordingChannel(card, target: .type4)
                let failure = error { () throws(TagError) in try Type4Tag(on: channel).initialise() }
                #expect(channel.commands.count < 100)
                if failure == nil { #expect(try tag(card.card).detect().status == .readWrite) }
            }
        }
    }

    private final class Truncating: Card {
        let card: DESFireCard
        private let number: Int
        private let length: Int
        private var count = 0

        init(_ card: DESFireCard, at number: Int, length: Int) {
            self.card = card
            self.number = number
            self.length = length
        }

        func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
            defer { count += 1 }
            let answer = card.answer(command, framing: framing)
            return count == number ? answer.map { Array($0.prefix(length)) } : answer
        }

        func reset() { card.reset() }
    }

    // MARK: Read-only

    @Test func makeReadOnlySetsTheContainerAndThenTheAccessRights() throws {
        let card = try initialised(message(100))
        let steps = try tag(card).planLock().steps
        #expect(steps.map(\.name) == ["write access", "access rights of file E104", "access rights of file E103"])
        #expect(steps[1].old == bytes("EEEE"))
        #expect(steps[1].new == bytes("EFFF"))
        try tag(card).makeReadOnly()
        #expect(card.ndef?.files.values.map(\.rights) == [0xEFFF, 0xEFFF])
        #expect(card.ndef?.files[1]?.bytes.last == 0xFF)
        #expect(try tag(card).detect().status == .readOnly)
        #expect(try tag(card).readNDEF() == message(100))
        #expect(try tag(card).planLock().isEmpty)
    }

    @Test func aCutWhileLockingSaysWhatIsLockedAndTheRestFollowsLater() throws {
        let whole = RecordingChannel(try initialised(message(100)), target: .type4)
        try Type4Tag(on: whole).makeReadOnly()
        for number in 0..<whole.commands.count {
            let faults: [RecordingChannel.Fault] = [
                .lost(at: number, after: false), .lost(at: number, after: true), .silence(at: number, after: false),
                .silence(at: number, after: true),
            ]
            for fault in faults {
                let card = try initialised(message(100))
                let before = card.changes.count
                let failure = error { () throws(TagError) in try tag(card, fault: fault).makeReadOnly() }
                switch failure {
                case nil: #expect(try tag(card).planLock().isEmpty)
                case .lockInterrupted(let done, let missing, .reader)?:
                    #expect(done.count + missing.count == 3)
                    #expect(done.count...done.count + 1 ~= card.changes.count - before)
                case .reader(.tagLost)?: #expect(card.changes.count == before)
                default: Issue.record("at \(number): \(String(describing: failure))")
                }
                #expect(try tag(card).readNDEF() == message(100))
                try tag(card).makeReadOnly()
                #expect(try tag(card).planLock().isEmpty)
            }
        }
    }

    @Test(
        "A DESFire whose capability container needs a key is not locked",
        arguments: [(0xE000, "can be written only with key 0"), (0xEFFF, "can never be written")])
    func closedContainer(rights: Int, words: String) throws {
        let card = try initialised(message(10))
        #expect(try tag(card).lockForecast() == .enforced)
        card.ndef?.files[1]?.rights = rights
        let refusal = TagError.cannotMakeReadOnly(reason: "its capability container \(words)")
        #expect(error { () throws(TagError) in try tag(card).requireLock() } == refusal)
        #expect(error { () throws(TagError) in try tag(card).makeReadOnly() } == refusal)
    }

    // MARK: Rights

    @Test(
        arguments: [(0xE000, [0], "writing needs key 0"), (0xEFFF, [], "no key allows writing")]
            as [(Int, [Int], String)])
    func aFileThatOnlyAKeyWritesIsNotWritten(rights: Int, keys: [Int], reason: String) throws {
        let card = try initialised(message(10))
        #expect(try tag(card).messageRights()?.isPlain == true)
        card.ndef?.files[2]?.rights = rights
        let changes = card.changes
        #expect(try tag(card).messageRights()?.keys == keys)
        #expect(error { () throws(TagError) in try tag(card).writeNDEF(message(5)) } == .readOnly(reason: reason))
        #expect(error { () throws(TagError) in try tag(card).requireOpenMessage() } == .readOnly(reason: reason))
        #expect(card.changes == changes)
        #expect(try tag(card).readNDEF() == message(10))
    }

    @Test func theMapTakesTheRightsOfTheCard() throws {
        let card = try initialised(message(10))
        card.ndef?.files[1]?.rights = 0xE120
        card.ndef?.files[2]?.rights = 0xE000
        let tag = tag(card)
        var map = try tag.memoryMap()
        #expect(try tag.addRights(to: &map)?.keys == [0])
        #expect(map.files.map(\.rights?.write) == [.key(1), .key(0)])
        #expect(map.files.map(\.rights?.readWrite) == [.key(2), .key(0)])
        #expect(map.files.map(\.writeAccess) == [0xFF, 0x00])
    }

    @Test func aFileOfAnotherSizeIsNotTheNDEFFile() throws {
        let card = try initialised(message(10))
        card.ndef?.files[7] = card.ndef?.files[2]
        card.ndef?.files[2] = DESFireCard.File(iso: bytes("0001"), rights: 0xE000, bytes: [1, 2, 3])
        #expect(try tag(card).messageRights() == nil)
        try tag(card).writeNDEF(message(5))
        #expect(try tag(card).readNDEF() == message(5))
    }

    // MARK: Applications

    @Test func applicationsAndFilesAreListedWithoutAKey() throws {
        let card = try initialised(message(10))
        card.applications[0x123456] = DESFireCard.Application(dfName: bytes("A000"))
        card.applications[0x123456]?.files[7] = DESFireCard.File(iso: bytes("0001"), rights: 0x1234, bytes: [1, 2, 3])
        let changes = card.changes
        let tag = tag(card)
        let (applications, free) = try tag.nativeApplications()
        #expect(applications.map(\.identifier) == [0, 1, 0x123456])
        #expect(free == card.freeMemory)
        #expect(applications[0].keySettings == 0x0F && applications[0].files == nil)
        #expect(applications[1].keyType == .des && applications[1].keyCount == 1)
        let file = try #require(applications[2].files?.first)
        #expect(file.number == 7 && file.settings?.size == 3)
        #expect(file.settings?.rights == .init(read: .key(1), write: .key(2), readWrite: .key(3), change: .key(4)))
        // Nothing was changed, and the tag can still be read.
        #expect(card.changes == changes)
        #expect(try tag.readNDEF() == message(10))
    }

    @Test func aCardThatListsNothingIsNoError() throws {
        let card = DESFireCard()
        card.piccSettings = 0x09
        let (applications, _) = try tag(card).nativeApplications()
        #expect(applications.map(\.identifier) == [0])
        #expect(applications[0].listsFreely == false && applications[0].createsFreely == false)
    }
}
