// Dump files by path, and the kind of failure for an invalid one

import Chips
import Foundation
import ReaderInterface
import SafeTag
import TagImage
import Testing

@Suite struct DumpFileTests {
    private func read(_ text: String) throws -> TagImage {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try DumpFile(path: path).read()
    }

    private static func image(firstByte: UInt8) -> TagImage {
        var image = TagImage(kind: .type2(.ntag213))
        image.blocks = (0..<45).map { .init(number: $0, bytes: [0, 0, 0, 0]) }
        image.blocks[0].bytes = [firstByte, 0, 0, 0x88]
        return image
    }

    @Test func aFileThatIsNoDumpIsABadFile() {
        let error = #expect(throws: BrokenDump.self) { try read("{") }
        #expect(error?.kind == .badFile)
        #expect("\(error as Any)".contains("is not a dump that can be used."))
    }

    @Test func memoryThatNoChipHasIsABadFileToo() throws {
        try UnsoundDump.check(Self.image(firstByte: 0), "tag.bin")
        let error = #expect(throws: UnsoundDump.self) { try UnsoundDump.check(Self.image(firstByte: 1), "tag.bin") }
        #expect(error?.kind == .badFile)
        #expect(error?.description.hasPrefix("tag.bin is not a dump that can be used. ") ?? false)
        #expect(error?.description.hasSuffix(" Nothing was written.") ?? false)
    }

    @Test func aFormatThatCannotHoldAMemoryIsOfTheWrongKind() {
        let error = BrokenDump(source: "tag.bin", error: .notExpressible(.bin, reason: "x"))
        #expect(error.kind == .wrongChip)
        #expect(error.description == "A .bin file cannot hold this: x.")
        #expect(
            BrokenDump(source: "my.card.mfd", error: .notExpressible(.bin, reason: "x")).description
                == "A .mfd file cannot hold this: x.")
    }
}
