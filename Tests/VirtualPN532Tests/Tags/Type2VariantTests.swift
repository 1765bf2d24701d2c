// Tests of Type 2 Tags of other manufacturers

import Testing

@testable import VirtualPN532

/// Chips with the layout of an NXP chip but not all of its commands.
struct Type2VariantTests {
    static let kinds = VirtualTagKind.allCases.filter(\.isType2)
    static let withVersion = kinds.filter { ![.ultralight, .ultralightC, .ntag203, .st25TN01K].contains($0) }
    static let withFastRead = withVersion.filter { $0 != .ntag210micro }

    private func tag(_ kind: VirtualTagKind, _ options: String) throws -> VirtualType2Tag {
        let tag = try VirtualReaderSpec(parsing: "\(kind.rawValue)?\(options)").tags[0]
        return try #require(tag as? VirtualType2Tag).activate()
    }

    @Test(arguments: kinds) func withoutGetVersionItIsRefused(kind: VirtualTagKind) throws {
        #expect(try tag(kind, "version=none").send("60") == "NAK 0")
    }

    @Test(arguments: withVersion) func anotherVendorsByteIsInTheVersion(kind: VirtualTagKind) throws {
        let original = try kind.type2().send("60")
        #expect(original.hasPrefix("00 04 "))
        #expect(try tag(kind, "vendor=53").send("60") == "00 53 " + original.dropFirst(6))
    }

    @Test(arguments: kinds) func withoutSignatureReadSigIsRefused(kind: VirtualTagKind) throws {
        #expect(try tag(kind, "signature=none").send("3C 00") == "NAK 0")
    }

    @Test(arguments: withFastRead) func withoutFastReadItIsRefusedAndReadIsNot(kind: VirtualTagKind) throws {
        let tag = try tag(kind, "fastread=none")
        #expect(tag.send("3A 04 04") == "NAK 0")
        #expect(tag.activate().send("30 04").count == 47)
    }

    @Test(arguments: withFastRead) func aLimitedFastReadTakesSoManyBlocks(kind: VirtualTagKind) throws {
        let tag = try tag(kind, "version=none&fastread=8")
        #expect(tag.send("3A 04 0B").count == 8 * 4 * 3 - 1)
        #expect(tag.send("3A 04 0C") == "NAK 0")
        #expect(tag.send("30 00") == "-")
    }

    @Test(arguments: withFastRead) func everyNthFastReadHasBytesTwice(kind: VirtualTagKind) throws {
        let tag = try tag(kind, "duplicates=3")
        let right = tag.send("3A 00 07")
        #expect(right.count == 32 * 3 - 1)
        #expect(tag.send("3A 00 07") == right)
        let wrong = bytes(tag.send("3A 00 07"))
        #expect(wrong.count == 36)
        #expect(wrong == Array(bytes(right)[..<16] + bytes(right)[12...]))
        #expect(tag.send("3A 00 07") == right)
        #expect(tag.send("3A 00 07") == right)
        #expect(tag.send("3A 00 07") != right)
    }

    @Test(arguments: [VirtualTagKind.ntag213, .ntag203])
    func aTagCanBeDeliveredWithoutLockControlTLV(kind: VirtualTagKind) throws {
        #expect(try kind.type2().send("30 04").hasPrefix("01 03 A0"))
        let tag = try tag(kind, "locktlv=none")
        #expect(tag.send("30 03").hasSuffix("03 00 FE 00 00 00 00 00 00 00 00 00"))
        #expect(tag.contents[12..<16].elementsEqual([0xE1, 0x10, 0x12, 0x00]))
    }

    @Test(arguments: kinds) func withoutOptionsNothingDiffers(kind: VirtualTagKind) throws {
        let tag = try #require(kind.make() as? VirtualType2Tag)
        #expect(tag.variant == Type2Variant())
        #expect(try self.tag(kind, "latency=none").contents == tag.contents)
    }

    @Test func eachTagOfAListCanBeOfAnotherMaker() throws {
        let text = "ntag215:version=none:fastread=16*2,ntag215,ntag213:vendor=53?signature=none"
        let tags = try VirtualReaderSpec(parsing: text).tags.compactMap { $0 as? VirtualType2Tag }
        #expect(tags.map { $0.activate().send("60").prefix(6) } == ["NAK 0", "NAK 0", "00 04 ", "00 53 "])
        // A tag's own options replace those of the list.
        #expect(tags.map { $0.activate().send("3C 00") == "NAK 0" } == [false, false, true, false])
        #expect(tags.map { $0.activate().send("3A 00 10") == "NAK 0" } == [true, true, false, false])
    }

    @Test func aFileIsOfTheMakerThatTheOptionsSay() throws {
        let path = TemporaryFile()
        let spec = try VirtualReaderSpec(parsing: "\(path)?kind=ntag213&version=none&locktlv=none")
        let tag = try #require(spec.tags[0] as? VirtualType2Tag)
        #expect(tag.activate().send("60") == "NAK 0")
        let again = try #require(VirtualReaderSpec(parsing: "\(path)?vendor=53").tags[0] as? VirtualType2Tag)
        #expect(again.activate().send("60").hasPrefix("00 53"))
        #expect(again.contents == tag.contents)
        let plain = try #require(VirtualReaderSpec(parsing: "\(path)").tags[0] as? VirtualType2Tag)
        #expect(plain.activate().send("60").hasPrefix("00 04"))
    }

    @Test func theDemonstrationTagCanBeForeign() throws {
        let tag = try #require(VirtualReaderSpec(parsing: "?vendor=53").tags[0] as? VirtualType2Tag)
        #expect(tag.activate().send("60").hasPrefix("00 53"))
    }
}
