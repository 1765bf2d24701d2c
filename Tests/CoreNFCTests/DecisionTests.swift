// Decisions where Apple documents nothing, or where Linux has no equivalent: the table of FromIPhoneToLinux.md

import Chance
import CoreNFC
import Foundation
import ReaderInterface
import TagTypes
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct DecisionTests {
    /// The kind, and whether the tag is a MIFARE tag, an ISO 7816 card or a FeliCa card.
    static let kinds: [(VirtualTagKind, Bool, Bool, Bool)] = [
        (.ntag213, true, false, false), (.desfire, true, false, false), (.type4, false, true, false),
        (.type4b, false, true, false), (.feliCaLiteSNDEF, false, false, true), (.classic1kNDEF, false, false, false),
        (.topaz512, false, false, false),
    ]

    @Test(arguments: kinds)
    func aTagOfAnNDEFSessionTellsItsKindAndIdentifier(
        _ kind: VirtualTagKind, isMiFare: Bool, isCard: Bool, isFeliCa: Bool
    ) async throws {
        let bench = try Bench([kind.make()])
        let tag: any NFCNDEFTag = try await bench.connectedTag()
        #expect(tag.isKind(of: (any NFCMiFareTag).self) == isMiFare)
        #expect(tag.isKind(of: (any NFCISO7816Tag).self) == isCard)
        #expect(tag.isKind(of: (any NFCFeliCaTag).self) == isFeliCa)
        #expect(!tag.isKind(of: (any NFCISO15693Tag).self))
        #expect(tag.isKind(of: (any NFCNDEFTag).self) && tag.isKind(of: NSObject.self))
        let identifier =
            (tag as? any NFCMiFareTag)?.identifier ?? (tag as? any NFCISO7816Tag)?.identifier
            ?? (tag as? any NFCFeliCaTag)?.currentIDm
        #expect((identifier != nil) == (isMiFare || isCard || isFeliCa))
        if let identifier { #expect(identifier == Data(try await bench.identifier(of: tag))) }
        #expect(await code { _ = try await tag.queryNDEFStatus() } == nil)
        try await bench.end()
    }

    @Test func aSessionInvalidatedBeforeItsBeginningEndsAndCannotBegin() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        bench.session.invalidate()
        bench.session.invalidate()
        try await bench.events.wait(for: .ended(200))
        bench.session.begin()
        try await bench.events.wait(for: .ended(103))
        #expect(bench.events.all == [.ended(200), .ended(103)])
    }

    @Test(arguments: [0, 1, 2, 1_000, -1])
    func recordsAreWrittenInOnePieceWhateverTheChunkSize(_ size: Int) throws {
        let record = NFCNDEFPayload(
            format: .media, type: Data("a/b".utf8), identifier: Data(), payload: Data("four".utf8), chunkSize: size)
        let message = NFCNDEFMessage(records: [record])
        #expect(message.length == 10)
        #expect(record.payload == Data("four".utf8))
    }

    @Test func aNumberThatTheSDKDoesNotNameIsNoCase() {
        #expect(NFCNDEFStatus(rawValue: 0) == nil && NFCNDEFStatus(rawValue: 4) == nil)
        #expect(NFCTypeNameFormat(rawValue: 7) == nil)
        #expect(NFCMiFareFamily(rawValue: 0) == nil && NFCMiFareFamily(rawValue: 5) == nil)
        #expect(NFCReaderError.Code(rawValue: 9_999) == nil)
    }

    // MARK: Passwords

    /// PWD, PACK, ACCESS with PROT and AUTHLIM, and AUTH0 of an NTAG213: blocks 2B, 2C, 2A, 29 — NXP NTAG213/215/216,
    /// memory organization and configuration pages.
    ///
    /// `configuration` is the first three bytes of block 29.
    private static func protect(
        _ tag: any NFCMiFareTag, access: String, configuration: String = "04 00 00"
    ) async throws {
        for command in [
            "A2 2B 01 02 03 04", "A2 2C AA BB 00 00", "A2 2A \(access) 00 00 00", "A2 29 \(configuration) 04",
        ] {
            #expect(try await tag.sendMiFareCommand(commandPacket: data(command)).hex == "0A")
        }
    }

    private static func protectedTag(
        _ text: String, forReading: Bool, tries: Int = 0
    ) async throws -> (TagSessionBench, any NFCMiFareTag) {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make(text: text)])
        try await protect(bench.miFare(), access: "\(forReading ? 8 : 0)\(tries)")
        bench.session.restartPolling()
        let tag = try #require(try await bench.detected().first)
        try await bench.session.connect(to: tag)
        return (bench, try #require(tag.asMiFare))
    }

    @Test func aTagProtectedAgainstReadingGives102ForReadingAnd400ForWriting() async throws {
        let (bench, tag) = try await Self.protectedTag("secret", forReading: true)
        #expect(await code { _ = try await tag.queryNDEFStatus() } == 102)
        #expect(await code { _ = try await tag.readNDEF() } == 102)
        #expect(await code { try await tag.writeNDEF(message("no")) } == 400)
        try await bench.end()
    }

    @Test func aTagProtectedAgainstWritingIsReadOnly() async throws {
        let (bench, tag) = try await Self.protectedTag("open", forReading: false)
        #expect(try await tag.queryNDEFStatus().0 == .readOnly)
        #expect(try await tag.readNDEF().text == "open")
        #expect(await code { try await tag.writeNDEF(message("no")) } == 400)
        try await bench.end()
    }

    @Test(arguments: [true, false])
    func aPasswordThatTheAppSentOpensTheTagForItsMessageToo(forReading: Bool) async throws {
        let (bench, tag) = try await Self.protectedTag("secret", forReading: forReading)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("1B 01 02 03 04")).hex == "AABB")
        #expect(try await tag.queryNDEFStatus().0 == .readWrite)
        #expect(try await tag.readNDEF().text == "secret")
        try await tag.writeNDEF(message("new"))
        #expect(try await tag.readNDEF().text == "new")
        // After another activation, the tag requires the password again.
        bench.session.restartPolling()
        let again = try #require(try await bench.detected().first)
        try await bench.session.connect(to: again)
        #expect(await code { try await #require(again.asMiFare).writeNDEF(message("no")) } == 400)
        try await bench.end()
    }

    @Test func aPasswordThatTheTagRefusedIsNotSentAgain() async throws {
        // A second wrong password would lock the tag.
        let (bench, tag) = try await Self.protectedTag("secret", forReading: true, tries: 2)
        #expect(await code { _ = try await tag.sendMiFareCommand(commandPacket: data("1B 09 09 09 09")) } == 102)
        #expect(await code { _ = try await tag.readNDEF() } == 102)
        #expect(await code { try await tag.writeNDEF(message("no")) } == 400)
        #expect(try await tag.sendMiFareCommand(commandPacket: data("1B 01 02 03 04")).hex == "AABB")
        #expect(try await tag.readNDEF().text == "secret")
        try await bench.end()
    }

    // MARK: Mirror

    /// As many characters as UID, `x` and counter have, starting at byte 12 of the message.
    private static let placeholder = String(repeating: "0", count: 21)

    private static func mirroring(_ kind: VirtualTagKind) async throws -> (Bench, SessionTag) {
        let bench = try Bench([kind.make(text: "I am \(placeholder).")])
        let tag = try await bench.connectedTag()
        try await tag.perform { tag in
            try #require(tag as? Type2Tag).mirror(.uidAndCounter, at: 12)
        }
        bench.session.restartPolling()
        let showing = try #require(try await bench.tags().first)
        try await bench.session.connect(to: showing)
        let text = try #require(try await showing.readNDEF().text)
        #expect(text != "I am \(placeholder)." && text.hasPrefix("I am 0"))
        return (bench, showing)
    }

    @Test(arguments: [VirtualTagKind.ntag213, .ntag215, .ntag216])
    func whatAnAppWritesIsWhatIsReadAlsoWhereTheChipShowedItsUID(_ kind: VirtualTagKind) async throws {
        let (bench, tag) = try await Self.mirroring(kind)
        let text = "A message that lies where the mirror was, and is longer."
        try await tag.writeNDEF(message(text))
        #expect(try await tag.readNDEF().text == text)
        bench.session.restartPolling()
        let next = try #require(try await bench.tags().first)
        try await bench.session.connect(to: next)
        #expect(try await next.readNDEF().text == text)
        #expect(try await next.perform { try ($0 as? Type2Tag)?.shownMirror() } == nil)
        try await bench.end()
    }

    /// The power-up that turns the mirror off makes the tag forget the password.
    @Test func whatAnAppWritesToATagThatItOpenedReplacesTheMirror() async throws {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make(text: "I am \(Self.placeholder).")])
        let tag = try await bench.miFare()
        try await #require(tag as? SessionTag).perform { tag in
            try #require(tag as? Type2Tag).mirror(.uidAndCounter, at: 12)
        }
        // CFG0 with the mirror is the first block of a READ of block 29.
        let configuration = try await tag.sendMiFareCommand(commandPacket: data("30 29")).hex.prefix(6)
        try await Self.protect(tag, access: "00", configuration: String(configuration))
        bench.session.restartPolling()
        let found = try #require(try await bench.detected().first)
        try await bench.session.connect(to: found)
        let mirroring = try #require(found.asMiFare)
        #expect(try await mirroring.readNDEF().text?.hasPrefix("I am 04") == true)
        #expect(try await mirroring.sendMiFareCommand(commandPacket: data("1B 01 02 03 04")).hex == "AABB")
        try await mirroring.writeNDEF(message("new"))
        #expect(try await mirroring.readNDEF().text == "new")
        try await bench.end()
    }

    @Test func aMessageThatDoesNotFitLeavesTheMirrorOn() async throws {
        let (bench, tag) = try await Self.mirroring(.ntag213)
        #expect(await code { try await tag.writeNDEF(message(String(repeating: "x", count: 200))) } == 402)
        #expect(try await tag.perform { try ($0 as? Type2Tag)?.shownMirror() } != nil)
        try await bench.end()
    }
}

extension Bench {
    /// Returns the identifier of the only tag in the field.
    fileprivate func identifier(of tag: any NFCNDEFTag) async throws -> [UInt8] {
        try #require(tag as? SessionTag).target.identifier
    }
}
