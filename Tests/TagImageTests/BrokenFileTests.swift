// Damaged files: truncated, and with changed bytes
import Chance
import TagImage
import Testing

@Suite struct BrokenFileTests {
    /// A truncated file lacks a value, or only the end of the last line.
    @Test func aFileCutOffAnywhereIsRefusedOrWhole() throws {
        for (format, file) in Fixture.all {
            let bytes = Array(file.utf8)
            let whole = try TagImage(bytes, format: format)
            var accepted = 0
            for length in 0..<bytes.count {
                guard let image = try? TagImage(Array(bytes[..<length]), format: format) else { continue }
                accepted += 1
                #expect(image.blocks == whole.blocks && image.files == whole.files)
            }
            // The last line of an Ultralight file may be missing or incomplete.
            #expect(accepted <= 4)
        }
    }

    @Test(arguments: Array(0..<Fixture.all.count))
    func noneOfTenThousandChangedFilesTraps(index: Int) throws {
        let (format, file) = Fixture.all[index]
        var random = SplitMix(state: 0x6E66_6374 &+ UInt64(index))
        let original = Array(file.utf8)
        var (read, refused) = (0, 0)
        for _ in 0..<1_200 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) { random.mutate(&bytes) }
            do {
                let image = try TagImage(bytes, format: format)
                read += 1
                #expect(try TagImage(image.bytes(.json), format: .json).blocks == image.blocks)
            } catch {
                refused += 1
            }
            _ = try? TagImage(bytes, format: TagImage.Format(contents: bytes))
        }
        #expect(read + refused == 1_200)
        #expect(refused > 300)
    }

    @Test func rawMemoryOfAnyContentsIsReadAndWritten() throws {
        var random = SplitMix(state: 1)
        for size in [64, 80, 120, 124, 180, 236, 448, 512, 540, 596, 1024, 4096] {
            for _ in 0..<100 {
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                guard let image = try? TagImage(bytes, format: .bin) else { continue }
                #expect(try TagImage(image.bytes(.json), format: .json).blocks == image.blocks)
            }
        }
    }
}

extension SplitMix {
    mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(0) }
        let index = Int.random(in: 0..<bytes.count, using: &self)
        switch Int.random(in: 0...5, using: &self) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &self)
        case 1: bytes[index] = Array("0123456789ABCDEF?:\"{} \n-").randomElement(using: &self)?.asciiValue ?? 0
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8.random(in: 0x20...0x7E, using: &self), at: index)
        case 4: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...200, using: &self)))
        default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 40)], at: index)
        }
    }
}
