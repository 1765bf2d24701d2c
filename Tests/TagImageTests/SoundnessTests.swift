// A file of the right size that cannot be the memory of a tag

import Chance
import TagImage
import Testing

@Suite struct SoundnessTests {
    private static func raw(_ bytes: [UInt8]) throws(TagImageError) -> TagImage { try TagImage(bytes, format: .bin) }

    private static func refusal(_ bytes: [UInt8]) throws -> String? {
        do throws(TagImageError) {
            try raw(bytes).checkMemory()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [64, 80, 120, 164, 168, 180, 192, 448, 512, 540, 924, 1024, 4096])
    func zerosAreNoMemory(size: Int) throws {
        #expect(try Self.refusal([UInt8](repeating: 0, count: size)) != nil)
    }

    @Test(arguments: [64, 164, 168, 180, 192, 448, 540, 924, 1024, 4096])
    func randomBytesAreNoMemory(size: Int) throws {
        var random = SplitMix(state: UInt64(size))
        for _ in 0..<50 {
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try Self.refusal(bytes) != nil)
        }
    }

    private static func ntag213(_ head: String) -> [UInt8] {
        let start = bytes(head)
        return start + [UInt8](repeating: 0, count: 180 - start.count)
    }

    @Test(
        arguments: [
            // Memory as delivered, blank memory, and memory with further one-time bits, like that of an amiibo.
            ("041057CB 1F000380 9C480000 E1101200", nil), ("041057CB 1F000380 9C480000 00000000", nil),
            ("041057CB 1F000380 9C480000 F110FFEE", nil),
            ("041057CA 1F000380 9C480000 E1101200", "byte 3 of block 0 is CA; expected CB, the UID's check byte."),
            ("041057CB 1F000380 9D480000 E1101200", "byte 0 of block 2 is 9D; expected 9C, the UID's check byte."),
            (
                "041057CB 1F000380 9C480000 12101200",
                "byte 0 of block 3 is 12; expected E1, of the capability container."
            ),
        ] as [(String, String?)])
    func checkBytesAndContainerOfType2AreChecked(head: String, refusal: String?) throws {
        #expect(try Self.refusal(Self.ntag213(head)) == refusal.map { "The value of \($0)" })
    }

    @Test(
        arguments: [
            ("E1101200", nil), ("E111120F", nil), ("F110FFEE", nil), ("00000000", nil),
            ("E1301200", "byte 1 of block 3 is 30; expected 1x, the version of the capability container."),
            ("E1101600", "byte 2 of block 3 is 16; expected 12 or less, the size of the memory of NTAG213."),
            ("E1FFFFFF", "byte 1 of block 3 is FF; expected 1x, the version of the capability container."),
        ] as [(String, String?)])
    func containersThatTheChipCannotHaveAreFound(container: String, refusal: String?) throws {
        let image = try Self.raw(Self.ntag213("041057CB 1F000380 9C480000 \(container)"))
        // A damaged tag may have such a container, and its other blocks can be restored.
        #expect(throws: Never.self) { try image.checkMemory() }
        do throws(TagImageError) {
            try image.checkType2Container()
            #expect(refusal == nil)
        } catch {
            #expect(error.description == refusal.map { "The value of \($0)" })
        }
    }

    private static func classic(_ first: String, access: String = "FF0780") -> [UInt8] {
        let key = [UInt8](repeating: 0xFF, count: 6)
        let trailer = key + bytes(access) + [0x69] + key
        let data = [UInt8](repeating: 0, count: 16)
        let head = bytes(first) + [UInt8](repeating: 0, count: 16 - bytes(first).count)
        return (0..<64).flatMap { $0 == 0 ? head : $0 % 4 == 3 ? trailer : data }
    }

    @Test(arguments: [64, 164, 168, 180, 448, 540, 924, 1024, 4096])
    func textIsNoMemory(size: Int) throws {
        let text = [UInt8]((0..<size).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        #expect(throws: TagImageError.self) { try Self.raw(text).checkIdentity() }
    }

    /// A copy of a card with a wrong check byte or one wrong trailer is shown, although it is not restored.
    @Test func aClassicWithErrorsIsStillOne() throws {
        #expect(throws: Never.self) { try Self.raw(Self.classic("C0170001D7 080400")).checkIdentity() }
        var card = Self.classic("C0170001D6 080400")
        card.replaceSubrange(54..<57, with: [0, 0, 0])
        #expect(throws: Never.self) { try Self.raw(card).checkIdentity() }
        let zeros = Self.classic("C0170001D6 080400", access: "000000")
        #expect(throws: TagImageError.self) { try Self.raw(zeros).checkIdentity() }
    }

    @Test func manufacturerBlockAndAccessBitsOfClassicAreChecked() throws {
        #expect(try Self.refusal(Self.classic("C0170001D6 080400")) == nil)
        #expect(try Self.refusal(Self.classic("C0170001D7 080400"))?.contains("byte 4 of block 0 is D7") == true)
        // A UID of 7 bytes has no check byte.
        #expect(try Self.refusal(Self.classic("04A1B2C3D4E580 08 4400")) == nil)
        #expect(
            try Self.refusal(Self.classic("C0170001D6 080400", access: "FF0781"))?.contains(
                "the access bits in block 3 is FF 07 81") == true)
    }
}
