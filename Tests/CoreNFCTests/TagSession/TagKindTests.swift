// The case under which a tag is reported — CoreNFC NFCTag, select-identifiers and system codes of an Info.plist

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5)), .alsoAtRealLatency) struct TagKindTests {
    private static let ndef = "D2760000850101"

    @Test(
        arguments: [
            (.ntag213, [], "miFare"), (.mifarePlus, [], "miFare"), (.passport, [], "iso7816"),
            (.applicationCard, [], "iso7816"), (.applicationCard, ["A000000247"], "iso7816"),
            (.applicationCard, [ndef], "miFare"), (.ultralight, [], "miFare"), (.desfire, [], "miFare"),
            (.type4, [], "iso7816"),
            (.ntag424, [], "iso7816"), (.type4b, [], "iso7816"), (.type3, [], "feliCa"), (.feliCaLiteS, [], "feliCa"),
            (.type4, [ndef], "iso7816"), (.type4, ["A0000002471001", ndef], "iso7816"),
            (.type4, ["A0000002471001"], "miFare"), (.ntag424, [ndef], "iso7816"), (.desfire, [ndef], "miFare"),
            (.type4b, [ndef], "iso7816"), (.ntag213, [ndef], "miFare"),
            (.mifarePlus, [ndef], "miFare"), (.passport, [ndef], "miFare"),
        ] as [(VirtualTagKind, [String], String)])
    func aTagComesAs(_ kind: VirtualTagKind, _ identifiers: [String], _ expected: String) async throws {
        let bench = try TagSessionBench([kind.make()], identifiers: identifiers)
        let tags = try await bench.begin()
        #expect(tags.map(\.kindName) == [expected])
        try await bench.end()
    }

    /// If the silence counted as an error, each poll would skip the card.
    @Test(arguments: [[], [ndef, "A0000002471001"]])
    func aCardThatIsSilentWhenAnApplicationIsSelectedHasNone(_ identifiers: [String]) async throws {
        var faults = Faults()
        (faults.nak, faults.repeats) = (1, true)
        let kind = identifiers.isEmpty ? VirtualTagKind.type4 : .mifarePlus
        let bench = try TagSessionBench([kind.make()], identifiers: identifiers, faults: faults)
        #expect(try await bench.begin().map(\.kindName) == [identifiers.isEmpty ? "iso7816" : "miFare"])
        try await bench.end()
    }

    @Test(arguments: [
        (VirtualTagKind.ntag213, NFCMiFareFamily.ultralight), (.mifarePlus, .plus), (.ultralightC, .ultralight),
        (.desfire, .desfire),
    ])
    func theFamilyIsToldByTheActivation(_ kind: VirtualTagKind, _ family: NFCMiFareFamily) async throws {
        let bench = try TagSessionBench([kind.make()])
        let tag = try await bench.miFare()
        #expect(tag.mifareFamily == family)
        #expect(tag.type == .miFare)
        #expect(tag.asNFCMiFareTag() != nil && tag.asNFCISO7816Tag() == nil && tag.asNFCFeliCaTag() == nil)
        #expect(tag.session === bench.session)
        try await bench.end()
    }

    @Test func theFirstIdentifierThatSelectsIsTheInitialOne() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4.make()], identifiers: ["A000000247", "d2760000850101"])
        let tag = try await bench.iso7816()
        #expect(tag.initialSelectedAID == Self.ndef)
        #expect(tag.historicalBytes == nil || tag.historicalBytes?.isEmpty == false)
        #expect(tag.applicationData == nil && !tag.proprietaryApplicationDataCoding)
        try await bench.end()
    }

    @Test(arguments: [VirtualTagKind.classic1kNDEF, .topaz96])
    func whatAnIPhoneDoesNotDeliverIsNotDelivered(_ kind: VirtualTagKind) async throws {
        let bench = try TagSessionBench([kind.make()])
        try await bench.beginPassingOver()
        bench.reader.field.place(VirtualTagKind.ntag213.make())
        #expect(try await bench.events.next() == .detected(1))
        try await bench.end()
    }

    @Test func aCardOfTypeBWithoutAListedApplicationIsPassedOver() async throws {
        let bench = try TagSessionBench([VirtualTagKind.type4b.make()], identifiers: ["A0000002471001"])
        try await bench.beginPassingOver()
        try await bench.end()
        #expect(bench.events.all == [.active, .ended(200)])
    }

    @Test(
        arguments: [
            (.iso14443, .ntag213, true), (.iso14443, .type3, false), (.iso18092, .type3, true),
            (.iso18092, .ntag213, false), ([.iso14443, .iso15693], .ntag213, true), (.pace, .type4, true),
            (.pace, .ntag213, false), ([.pace, .iso18092], .type3, false),
        ] as [(NFCTagReaderSession.PollingOption, VirtualTagKind, Bool)])
    func onlyWhatWasAskedForIsFound(
        _ option: NFCTagReaderSession.PollingOption, _ kind: VirtualTagKind, _ isFound: Bool
    ) async throws {
        let bench = try TagSessionBench([kind.make()], option)
        bench.session.begin()
        #expect(try await bench.events.next() == .active)
        if isFound {
            #expect(try await bench.events.next() == .detected(1))
        } else {
            let before = bench.reader.statistics.exchanges
            try await until { bench.reader.statistics.exchanges > before + 20 }
        }
        try await bench.end()
        #expect(bench.events.all.contains(.detected(1)) == isFound)
    }

    @Test(
        arguments: [
            (.iso15693, [], [], 1), ([], [], [], 3), (.iso14443, ["D27600008501"], ["XYZ"], 3),
            (.iso14443, ["D276000085010"], [], 3), (.iso18092, [], ["12FC00"], 3),
        ] as [(NFCTagReaderSession.PollingOption, [String], [String], Int)])
    func aSessionThatCannotFindAnythingEndsAndSaysWhy(
        _ option: NFCTagReaderSession.PollingOption, _ identifiers: [String], _ systemCodes: [String], _ code: Int
    ) async throws {
        let bench = try TagSessionBench([], option, identifiers: identifiers, systemCodes: systemCodes)
        bench.session.begin()
        #expect(try await bench.events.next() == .ended(code))
        #expect(bench.events.all == [.ended(code)])
        #expect(option.isEmpty || bench.delegate.cause != nil)
    }

    @Test func nothingToLookForIsNoSession() {
        #expect(NFCTagReaderSession(pollingOption: [], delegate: NativeTagDelegate()) == nil)
        #expect(NFCTagReaderSession(pollingOption: .iso14443, delegate: NativeTagDelegate()) != nil)
    }
}
