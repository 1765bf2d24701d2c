// The differences between two images
import TagImage
import Testing

@Suite struct DifferenceTests {
    @Test func anImageDoesNotDifferFromItself() throws {
        for (format, file) in Fixture.all {
            let image = try image(file, format)
            #expect(image.difference(from: image).isEmpty)
        }
    }

    @Test func blocksThatDifferAreListedInOrderWithBothContents() throws {
        let mine = try image(Fixture.flipperUltralight11, .nfc)
        var other = mine
        other.blocks[16].bytes = bytes("000000FE")
        other.blocks[4].bytes = nil
        other.blocks[18].bytes = bytes("00000000")
        #expect(
            mine.difference(from: other) == [
                .init(place: .block(4), mine: bytes("030BD101"), other: nil),
                .init(place: .block(16), mine: bytes("000000FF"), other: bytes("000000FE")),
                .init(place: .block(18), mine: nil, other: bytes("00000000")),
            ])
    }

    @Test func aShorterMemoryDiffersInEveryBlockItLacks() throws {
        let long = try TagImage([UInt8](repeating: 0, count: 180), format: .bin)
        let short = try TagImage([UInt8](repeating: 0, count: 64), format: .bin)
        #expect(long.difference(from: short).map(\.place) == (16..<45).map { .block($0) })
    }

    @Test func filesDifferByIdentifier() throws {
        let mine = try image(Fixture.ownType4, .json)
        var other = mine
        other.files[1].bytes[1] = 0
        other.files.append(.init(identifier: 0xE105, bytes: [1]))
        #expect(mine.difference(from: other).map(\.place) == [.file(0xE104), .file(0xE105)])
    }
}
