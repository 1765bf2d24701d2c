// The secret bytes of a memory

import Chips
import SafeTag
import TagImage
import Testing

@testable import TagTypes

@Suite struct HiddenBytesTests {
    private static let password = Array("zzzzzzzz".utf8)

    /// A Wi-Fi record's type and its Network Key attribute, in the blocks from 4 on.
    private static let record =
        Array("application/vnd.wfa.wsc".utf8) + [0x10, 0x27, 0x00, UInt8(password.count)] + password + [0xFE]

    private static func blocks() -> [(number: Int, bytes: [UInt8])] {
        stride(from: 0, to: record.count, by: 4).map { start in
            let bytes = Array(record[start..<min(start + 4, record.count)])
            return (4 + start / 4, bytes + [UInt8](repeating: 0, count: 4 - bytes.count))
        }
    }

    private static func image() -> TagImage {
        var image = TagImage(kind: .type2(.ntag213))
        image.blocks = blocks().map { .init(number: $0.number, bytes: $0.bytes) }
        return image
    }

    @Test func aPasswordThatGoesOverBlocksIsHiddenInAllOfThem() {
        var map = MemoryMap()
        map.blocks = Self.blocks().map { .init(number: $0.number, bytes: $0.bytes, role: .ndef, isLocked: false) }
        let hidden = HiddenBytes(of: [Self.password], in: map)
        let shown = map.blocks.flatMap { block in
            (block.bytes ?? []).enumerated().filter { !hidden.contains($0.offset, of: block) }.map(\.element)
        }
        #expect(shown.count == map.blocks.count * 4 - Self.password.count)
        #expect(!shown.contains(Self.password[0]))
    }

    @Test func anImageTellsItsPasswordsWithoutAMessageThatCanBeRead() {
        #expect(HiddenBytes.secrets(in: Self.image()) == [Self.password])
        let hidden = HiddenBytes(of: [Self.password], in: Self.image())
        #expect(!hidden.contains(0, of: .block(4)))
        #expect((0..<4).allSatisfy { hidden.contains($0, of: .block(11)) })
    }

    @Test func nothingIsHiddenWithoutASecret() {
        let hidden = HiddenBytes(of: [], in: Self.image())
        #expect(
            !Self.image().blocks.contains { block in (0..<4).contains { hidden.contains($0, of: .block(block.number)) }
            })
    }
}
