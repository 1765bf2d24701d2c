// Tags of each kind with a short message, as memory

import Chips
import TagImage

/// Creates images that the code for reading tags accepts.
enum ImageSeed {
    /// The kinds of tags to create images of.
    static let kinds: [TagImage.Kind] = [
        .type2(.ntag213), .type2(.ultralightC), .type2(nil), .topaz96, .topaz512, .feliCaLite, .type3, .classic1K,
        .classic4K, .type4, .type5(blockLength: 4), .type5(blockLength: 8),
    ]

    private static let message: [UInt8] = octets("D1010D 55 04 6578616D706C652E636F6D2F")
    private static var tlv: [UInt8] { [0x03, UInt8(message.count)] + message + [0xFE] }

    static func image(_ kind: TagImage.Kind) -> TagImage {
        var image = TagImage(kind: kind)
        switch kind {
        case .type2(let chip):
            image.identifier = octets("04A1B2C3D4E580")
            let count = chip?.blockCount ?? 16
            let head = octets("04A1B29F C3D4E580 73480000 E1100600") + tlv
            image.blocks = blocks(head, count, 4)
        case .topaz96, .topaz512:
            image.identifier = octets("01020304")
            let memory = octets("0102030405060700 E1100E00") + tlv
            image.headerROM = kind == .topaz96 ? [0x11, 0x48] : [0x12, 0x4C]
            image.blocks = blocks(memory, kind == .topaz96 ? 15 : 64, 8, kind.blockNumbers)
        case .feliCaLite, .type3:
            image.identifier = octets("02FE010203040506")
            image.parameter = octets("00F1000000014300")
            let attributes = octets("10 04 01 000D 00000000 00 01 000011 0044")
            image.blocks = blocks(attributes + message, 14, 16, kind.blockNumbers)
        case .classic:
            image.identifier = octets("01020304")
            let numbers = kind.blockNumbers ?? []
            image.blocks = numbers.map { number in
                let bytes: [UInt8] =
                    if TagImage.Kind.isClassicTrailer(number) {
                        octets(
                            number == 3 ? "A0A1A2A3A4A5 787788C1 FFFFFFFFFFFF" : "D3F7D3F7D3F7 7F078840 FFFFFFFFFFFF")
                    } else {
                        switch number {
                        case 0: octets("01020304 04 08 0400 0000000000000000")
                        case 1: octets("1401 03E1 03E1 03E1 03E1 03E1 03E1 03E1")
                        case 2: octets("03E1 03E1 03E1 03E1 03E1 03E1 03E1 03E1")
                        case 4: Array((tlv + [UInt8](repeating: 0, count: 16)).prefix(16))
                        default: [UInt8](repeating: 0, count: 16)
                        }
                    }
                return .init(number: number, bytes: bytes)
            }
        case .type4:
            image.identifier = octets("04112233445566")
            image.files = [
                .init(identifier: 0xE103, bytes: octets("000F 20 003B 0034 04 06 E104 0040 00 00")),
                .init(
                    identifier: 0xE104, bytes: [0, UInt8(message.count)] + message + [UInt8](repeating: 0, count: 46)),
            ]
        case .type5(let length):
            image.identifier = octets("E004010203040506")
            image.blocks = blocks(octets("E1400A01") + tlv, 28, length)
        }
        return image
    }

    private static func blocks(
        _ bytes: [UInt8], _ count: Int, _ length: Int, _ numbers: [Int]? = nil
    ) -> [TagImage.Block] {
        let memory = bytes + [UInt8](repeating: 0, count: max(0, count * length - bytes.count))
        let numbers = numbers ?? Array(0..<count)
        return numbers.enumerated().map { index, number in
            let start = index * length
            let bytes =
                start + length <= memory.count
                ? Array(memory[start..<start + length]) : [UInt8](repeating: 0, count: length)
            return .init(number: number, bytes: bytes)
        }
    }
}
