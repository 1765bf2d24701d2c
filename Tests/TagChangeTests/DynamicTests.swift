// Secure Dynamic Messaging is set up, keys are changed, factory settings are restored — with the real libnfc and a
// virtual NTAG 424 DNA

import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import SecureDynamicMessaging
import TagTypes
import Testing
import VirtualPN532

@Suite struct DynamicTests {
    private static let template = "https://example.com/?e={picc}&c={mac}"
    private static let keys = SDMKeys(
        [Int: AES128Key](
            uniqueKeysWithValues: (0..<5).compactMap { number in
                AES128Key([UInt8](repeating: UInt8(0x11 * (number + 1)), count: 16)).map { (number, $0) }
            }))

    private static func setup(
        _ template: String = template, keys: SDMKeys = .factory, fileText: String? = nil, staysWritable: Bool = false
    ) throws -> SDMSetup {
        try SDMSetup(SDMLayout(SDMTemplate(template), fileText: fileText), keys: keys, staysWritable: staysWritable)
    }

    @Test(arguments: [
        template, "https://www.example.com/{uid}x{counter}/{mac}", "http://x.example/?u={uid}&c={mac}",
        "https://example.com/{signed}?e={picc}&f={file:32}&c={mac}",
        "https://example.com/?e={picc}&f={file:64}&c={mac}#end",
    ])
    func aTagIsSetUpAndProven(template: String) async throws {
        try await Bench.with(.ntag424) { bench in
            try await bench.write(try Bench.text("https://example.com/old"))
            let answers = Answers(true)
            let text = template.contains("{file:32}") ? "sixteen letters!" : nil
            let proof = try await bench.setUp(try Self.setup(template, fileText: text), asking: answers)
            #expect(answers.words.filter { $0 != "awaitingTag" } == ["setUp"])
            #expect(!proof.wasDone && proof.reading.isVerified == true)
            #expect(proof.tap.counter == (template.contains("{picc}") || template.contains("{counter}") ? 1 : nil))
            #expect(proof.tap.fileData.map { String(decoding: $0, as: UTF8.self) } == text || text == nil)
            // A second setup asks no question, and the counter continues.
            let again = try await bench.setUp(try Self.setup(template, fileText: text))
            #expect(again.wasDone)
            if let counter = again.tap.counter { #expect(counter > 1) }
            let status = try await bench.status(.factory)
            #expect(
                status.files[1].settings.rights
                    == .init(read: .free, write: .key(0), readWrite: .key(0), change: .key(0)))
            #expect(status.counter == again.tap.counter)
            #expect(status.isKeyRight.values.allSatisfy { $0 })
        }
    }

    @Test func anotherAddressTakesThePlaceOfTheFirst() async throws {
        try await Bench.with(.ntag424) { bench in
            _ = try await bench.setUp(try Self.setup(staysWritable: true), asking: Answers(true))
            for template in [
                "https://example.org/a/longer/one?e={picc}&c={mac}", "https://x.example/{uid}{counter}{mac}",
            ] {
                let proof = try await bench.setUp(try Self.setup(template), asking: Answers(true))
                #expect(proof.tap.counter == 1)
                #expect(proof.address.hasPrefix(template.prefix(16)))
            }
        }
    }

    @Test func nothingIsChangedWithoutAgreementOrKeys() async throws {
        try await Bench.with(.ntag424) { bench in
            let old = try Bench.text("https://example.com/old")
            try await bench.write(old)
            await #expect(throws: NotAgreed.self) { _ = try await bench.setUp(try Self.setup()) }
            await #expect(throws: TagError.factoryKeys) {
                _ = try await bench.setUp(try Self.setup(keys: Self.keys), asking: Answers(true))
            }
            let tooLong = "https://example.com/" + String(repeating: "a", count: 200) + "?e={picc}&c={mac}"
            await #expect(throws: TagError.self) {
                _ = try await bench.setUp(try Self.setup(tooLong), asking: Answers(true))
            }
            #expect(try await bench.message() == old)
            #expect(try await bench.status(nil).files[1].settings.dynamic == nil)
        }
        try await Bench.with(.ntag213) { bench in
            await #expect(throws: TagError.self) { _ = try await bench.setUp(try Self.setup(), asking: Answers(true)) }
        }
    }

    @Test func keysAreChangedOnceAndTheWayBackIsProven() async throws {
        try await Bench.with(.ntag424) { bench in
            let change = KeyChange(from: .factory, to: Self.keys, version: 7)
            let answers = Answers(true)
            #expect(try await bench.changeKeys(change, asking: answers).pending == [4, 3, 2, 1, 0])
            #expect(answers.words.contains("changeKeys"))
            #expect(try await bench.changeKeys(change).pending.isEmpty)
            let status = try await bench.status(Self.keys)
            #expect(status.keyVersions == [7, 7, 7, 7, 7] && status.isKeyRight.values.allSatisfy { $0 })
            // The setup accepts the new keys, and no other keys.
            await #expect(throws: TagError.wrongKey(number: 0)) { _ = try await bench.setUp(try Self.setup()) }
            let proof = try await bench.setUp(try Self.setup(keys: Self.keys), asking: Answers(true))
            #expect(proof.tap.counter == 1)
            let reset = try await bench.reset(Self.keys, asking: Answers(true))
            #expect(Array(reset.files.keys) == [2] && reset.keys.pending == [4, 3, 2, 1, 0])
            #expect(try await bench.reset(.factory).isDone)
            let fresh = try await bench.status(.factory)
            #expect(fresh.keyVersions == [0, 0, 0, 0, 0] && fresh.isKeyRight.values.allSatisfy { $0 })
            #expect(fresh.files[1].settings.dynamic == nil)
            // Anyone can write the tag again.
            try await bench.write(try Bench.text("https://example.com/new"))
        }
    }

    @Test(arguments: [8, 16, 24, 30, 36, 44, 60, 76])
    func aTagThatComesBackIsFinishedByTheSameCall(cut: Int) async throws {
        let patience = SafeWrite.Patience.upTo(.seconds(5))
        func pull(_ bench: Bench) {
            bench.reader.faults.loss = bench.reader.statistics.tagCommands + cut
            bench.reader.faults.back = .milliseconds(20)
        }
        try await Bench.with(.ntag424) { bench in
            pull(bench)
            let setup = try Self.setup()
            _ = try await Self.afterALostLook { try await bench.setUp(setup, asking: Answers(true), patience) }
            pull(bench)
            let change = KeyChange(from: .factory, to: Self.keys, version: 7)
            _ = try await Self.afterALostLook { try await bench.changeKeys(change, asking: Answers(true), patience) }
            #expect(try await bench.status(Self.keys).isKeyRight.values.allSatisfy { $0 })
            pull(bench)
            _ = try await Self.afterALostLook { try await bench.reset(Self.keys, asking: Answers(true), patience) }
            #expect(try await bench.status(.factory).isKeyRight.values.allSatisfy { $0 })
        }
    }

    /// If a tag leaves before the first step, the call can be repeated.
    ///
    /// If it leaves later, the call itself must finish.
    private static func afterALostLook<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch is TagError {
            return try await work()
        }
    }

    @Test func aReadingTellsWhoMayWriteAndThatTheTagSigns() async throws {
        func rights(_ bench: Bench) async throws -> (read: NDEFState, inspected: NDEFState) {
            try await bench.session { session in
                let tag = try await session.onlyTag(within: .seconds(10))
                let read = try await session.read(tag).state
                return (read, try #require(await session.inspect([tag]).tags.first).state)
            }
        }
        try await Bench.with(.ntag424) { bench in
            let open = try await rights(bench)
            #expect(open.read.rights?.isPlain == true && open.read.openStatus == .readWrite)
            #expect(open.read.rights == open.inspected.rights && open.read.rights?.reason == nil)
            _ = try await bench.setUp(try Self.setup(), asking: Answers(true))
            let signing = try await rights(bench)
            #expect(signing.read.rights == signing.inspected.rights && signing.read.openStatus == .readOnly)
            #expect(signing.read.rights?.keys == [0] && signing.read.rights?.isSigned == true)
            #expect(signing.read.rights?.reason == "writing needs key 0; the tag signs its URL (SUN)")
        }
        // Other tags have no such rights.
        try await Bench.with(.type4) { bench in
            let states = try await rights(bench)
            #expect(states.read.rights == nil && states.inspected.rights == nil)
        }
    }

    @Test func someKeysAreChangedAndTheOthersStay() async throws {
        try await Bench.with(.ntag424) { bench in
            let some = SDMKeys([1: Self.keys[1], 2: Self.keys[2]])
            let change = KeyChange(from: .factory, to: some, version: 1)
            let draft = try await bench.changeKeys(change, asking: Answers(true))
            #expect(draft.pending == [2, 1])
            #expect(try await bench.status(some).keyVersions == [0, 1, 1, 0, 0])
            await #expect(throws: TagError.wrongKey(number: 2)) {
                let other = SDMKeys([2: Self.keys[4]])
                _ = try await bench.changeKeys(KeyChange(from: .factory, to: other, version: 1))
            }
        }
    }
}

extension Bench {
    func setUp(
        _ setup: SDMSetup, asking dialogue: any Dialogue = NoDialogue(), _ patience: SafeWrite.Patience = .none
    ) async throws -> SDMProof {
        try await session(asking: dialogue) { session in
            try await SafeWrite(session, patience: patience).change(within: .seconds(10), to: .replaceMessage).setUp(
                setup)
        }
    }

    func changeKeys(
        _ change: KeyChange, asking dialogue: any Dialogue = NoDialogue(), _ patience: SafeWrite.Patience = .none
    ) async throws -> KeyChangeDraft {
        try await session(asking: dialogue) { session in
            try await SafeWrite(session, patience: patience).change(within: .seconds(10), to: .keepMessage).changeKeys(
                change
            ).draft
        }
    }

    func reset(
        _ keys: SDMKeys, asking dialogue: any Dialogue = NoDialogue(), _ patience: SafeWrite.Patience = .none
    ) async throws -> DynamicResetDraft {
        try await session(asking: dialogue) { session in
            try await SafeWrite(session, patience: patience).change(within: .seconds(10), to: .keepMessage)
                .resetToFactory(openedBy: keys)
        }
    }

    func status(_ keys: SDMKeys?) async throws -> DynamicStatus {
        try await session { session in
            try await session.connect(to: session.onlyTag(within: .seconds(10))).dynamicStatus(keys)
        }
    }
}
