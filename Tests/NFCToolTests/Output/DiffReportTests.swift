// The content that a comparison of two dumps shows, and the content that it never shows

import Chips
import Foundation
import Testing

@testable import MemoryPresentation
@testable import SafeTag
@testable import TagImage

@Suite struct DiffReportTests {
    private static let key: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]

    private static func image(_ kind: TagImage.Kind, blocks: Int, trailer: [UInt8]?) -> TagImage {
        var image = TagImage(kind: kind)
        image.blocks = (0..<blocks).map { number in
            let isTrailer = TagImage.Kind.isClassicTrailer(number)
            return .init(number: number, bytes: isTrailer ? trailer : [UInt8](repeating: 0, count: kind.blockLength))
        }
        return image
    }

    private static func classic(_ key: [UInt8]) -> TagImage {
        var image = image(.classic1K, blocks: 64, trailer: key + [0xFF, 0x07, 0x80, 0x69] + key)
        for sector in 0..<16 { image.keys[sector] = .init(a: key, b: key) }
        return image
    }

    private static func report(_ mine: TagImage, _ other: TagImage) -> DiffReport {
        DiffReport(name: "a", image: mine, otherName: "b", other: other, memory: nil, showsSecrets: false)
    }

    @Test func keysOfACardAreHiddenBesideADumpOfAnotherChip() throws {
        let ntag = Self.image(.type2(.ntag215), blocks: 135, trailer: [1, 2, 3, 4])
        for report in [Self.report(ntag, Self.classic(Self.key)), Self.report(Self.classic(Self.key), ntag)] {
            let text = report.text(showsSecrets: false)
            #expect(!text.contains("A1B2") && text.contains("FF078069") && !report.same)
            #expect(!String(decoding: try JSONEncoder().encode(report), as: UTF8.self).contains("A1B2"))
        }
    }

    @Test func aKeyThatADumpLacksIsNotShownAsZeros() throws {
        var other = Self.classic(Self.key)
        other.keys[0]?.b = nil
        other.blocks[3].bytes?.replaceSubrange(10..., with: [UInt8](repeating: 0, count: 6))
        let report = Self.report(Self.classic(Self.key), other)
        #expect(report.differences.map(\.keysDiffer) == [nil])
        #expect(
            report.text(showsSecrets: false).hasSuffix(
                "************FF078069************  ************FF078069············"))
        other.keys[0]?.a = [1, 2, 3, 4, 5, 6]
        other.blocks[3].bytes?.replaceSubrange(..<6, with: [1, 2, 3, 4, 5, 6])
        #expect(Self.report(Self.classic(Self.key), other).text(showsSecrets: false).hasSuffix("(the keys differ)"))
    }

    @Test func whatOneSideDoesNotHaveIsSummedUp() throws {
        let small = Self.image(.type2(.ntag213), blocks: 45, trailer: [0, 0, 0, 0])
        var large = Self.image(.type2(.ntag216), blocks: 231, trailer: [0, 0, 0, 0])
        large.blocks[4].bytes = [1, 2, 3, 4]
        large.blocks[5].bytes = nil
        #expect(
            Self.report(small, large).text(showsSecrets: false) == """
                a (NTAG213) and b (NTAG216) differ in 2 places:
                  block 4: 00000000  01020304
                  block 5: 00000000  not known
                  only b has blocks 45-230
                """)
        // The output for scripts contains each block.
        #expect(Self.report(small, large).differences.count == 188)
        var files = TagImage(kind: .type4)
        files.files = [.init(identifier: 0xE103, bytes: [0]), .init(identifier: 0xE104, bytes: [0])]
        #expect(
            Self.report(files, small).text(showsSecrets: false) == """
                a (a Type 4 Tag) and b (NTAG213) differ:
                  only a has files E103, E104
                  only b has blocks 0-44
                """)
    }

    @Test func blocksThatNeitherSideKnowsAreNamed() throws {
        var mine = Self.classic(Self.key)
        for block in 20..<24 { mine.blocks[block].bytes = nil }
        let same = Self.report(mine, mine)
        #expect(same.same && same.unknown == [20, 21, 22, 23])
        #expect(
            same.text(showsSecrets: false).hasSuffix(
                "hold the same content, as far as is known: blocks 20-23 are unknown on both sides."))
        let known = Self.report(mine, Self.classic(Self.key))
        #expect(known.unknown == nil && !known.same)
    }

    @Test func thePasswordOfADumpIsHidden() {
        var mine = Self.image(.type2(.ntag213), blocks: 45, trailer: [0, 0, 0, 0])
        mine.blocks[43].bytes = [0xA1, 0xB2, 0xC3, 0xD4]
        let report = Self.report(mine, Self.image(.type2(.ntag213), blocks: 45, trailer: [0, 0, 0, 0]))
        #expect(report.text(showsSecrets: false).hasSuffix("block 43: ********  00000000"))
        #expect(report.text(showsSecrets: true).hasSuffix("block 43: A1B2C3D4  00000000"))
    }

    @Test func keysAreHiddenOnTheSideThatHasThem() throws {
        let unknown = Self.image(.classic1K, blocks: 64, trailer: nil)
        for report in [
            Self.report(Self.classic(Self.key), unknown), Self.report(unknown, Self.classic(Self.key)),
            Self.report(Self.classic(Self.key), Self.classic([0xA1, 0xB2, 0, 0, 0, 0])),
        ] {
            #expect(report.differences.count == 16)
            let text = report.text(showsSecrets: false)
            #expect(!text.contains("A1B2") && text.contains("FF078069"))
            #expect(!String(decoding: try JSONEncoder().encode(report), as: UTF8.self).contains("A1B2"))
        }
    }
}
