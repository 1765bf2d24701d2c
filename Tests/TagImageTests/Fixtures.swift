// Dump files made for these tests, in the form in which the tools for these formats write them
import TagImage

enum Fixture {
    /// An MF0UL11 in Flipper's version 4, with every field of the format.
    static let flipperUltralight11 = """
        Filetype: Flipper NFC device
        Version: 4
        Device type: NTAG/Ultralight
        UID: 04 A1 B2 C3 D4 E5 80
        ATQA: 00 44
        SAK: 00
        Data format version: 2
        NTAG/Ultralight type: Mifare Ultralight 11
        Signature: 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F 20
        Mifare version: 00 04 03 01 01 00 0B 03
        Counter 0: 7
        Tearing 0: BD
        Counter 1: 0
        Tearing 1: BD
        Counter 2: 16777215
        Tearing 2: 00
        Pages total: 20
        Pages read: 18
        Page 0: 04 A1 B2 9F
        Page 1: C3 D4 E5 80
        Page 2: 72 48 00 00
        Page 3: E1 10 06 00
        Page 4: 03 0B D1 01
        Page 5: 07 55 04 61
        Page 6: 2E 65 78 61
        Page 7: 6D FE 00 00
        \((8...15).map { "Page \($0): 00 00 00 00" }.joined(separator: "\n"))
        Page 16: 00 00 00 FF
        Page 17: 00 05 00 00
        Page 18: 00 00 00 00
        Page 19: 00 00 00 00
        Failed authentication attempts: 3

        """

    /// Returns an NTAG213 in Flipper's version 2 or 3, in which the chip is the device type.
    static func flipperNTAG213(version: Int, atqa: String) -> String {
        let pages = ["04 11 22 BF", "33 44 55 66", "44 48 00 00", "E1 10 12 00", "01 03 A0 0C", "34 03 00 FE"]
        return """
            Filetype: Flipper NFC device
            Version: \(version)
            # Nfc device type can be UID, Mifare Ultralight, Mifare Classic
            Device type: NTAG213
            # UID, ATQA and SAK are common for all formats
            UID: 04 11 22 33 44 55 66
            ATQA: \(atqa)
            SAK: 00
            # Mifare Ultralight specific data
            Signature: \(Array(repeating: "00", count: 32).joined(separator: " "))
            Mifare version: 00 04 04 02 01 00 0F 03
            Counter 0: 0
            Tearing 0: 00
            Pages total: 45
            \((0..<45).map { "Page \($0): \($0 < pages.count ? pages[$0] : "00 00 00 00")" }.joined(separator: "\n"))

            """
    }

    /// A MIFARE Classic 1K whose sector 1 could not be read, and whose sector 2 has no known key B.
    static let flipperClassic = """
        Filetype: Flipper NFC device
        Version: 4
        Device type: Mifare Classic
        UID: DE AD BE EF
        ATQA: 00 04
        SAK: 08
        Mifare Classic type: 1K
        Data format version: 2
        \((0..<64).map { "Block \($0): \(classicBlock($0))" }.joined(separator: "\n"))

        """

    static func classicBlock(_ block: Int) -> String {
        let unknown = Array(repeating: "??", count: 16).joined(separator: " ")
        return switch block {
        case 0: "DE AD BE EF 22 08 04 00 62 63 64 65 66 67 68 69"
        case 4...6: unknown
        case 7: "A0 A1 A2 A3 A4 A5 " + unknown.dropFirst(18)
        case 11: "FF FF FF FF FF FF FF 07 80 69 ?? ?? ?? ?? ?? ??"
        case _ where block % 4 == 3: "FF FF FF FF FF FF FF 07 80 69 FF FF FF FF FF FF"
        default: Array(repeating: "00", count: 16).joined(separator: " ")
        }
    }

    /// A MIFARE Classic 1K in data format 1.
    ///
    /// The keys of sector 0 are known, and key A of sector 1.
    static let flipperClassicKeyMaps = flipperClassic.replacing(
        "Data format version: 2",
        with: "Data format version: 1\nKey A map: 0000000000000003\nKey B map: 0000000000000001"
    ).replacing("??", with: "00")

    /// A FeliCa Lite-S whose block CK could not be read.
    static let flipperFeliCa = """
        Filetype: Flipper NFC device
        Version: 4
        Device type: FeliCa
        UID: 01 2E 3D 4C 5B 6A 79 88
        Data format version: 1
        Manufacture id: 01 2E 3D 4C 5B 6A 79 88
        Manufacture parameter: 00 F1 00 00 00 01 43 00
        Blocks total: 28
        Blocks read: 27
        \((0..<28).map { "Block \($0): \(feliCaBlock($0))" }.joined(separator: "\n"))

        """

    static func feliCaBlock(_ index: Int) -> String {
        let zeros = Array(repeating: "00", count: 16).joined(separator: " ")
        return switch index {
        case 0: "00 00 10 04 01 00 0D 00 00 00 00 00 01 00 00 00 00 23"
        case 18: "00 00 01 2E 3D 4C 5B 6A 79 88 00 F1 00 00 00 01 43 00"
        case 22: "FF FF " + zeros
        case 27: "00 00 AA " + zeros.dropFirst(3)
        default: "00 00 " + zeros
        }
    }

    /// A MIFARE Ultralight as Proxmark's client writes it.
    static let proxmarkUltralight = """
        {
          "Created": "proxmark3",
          "FileType": "mfu",
          "Card": {
            "UID": "04A1B2C3D4E580",
            "Version": "0000000000000000",
            "TBO_0": "0000",
            "TBO_1": "00",
            "Signature": "\(String(repeating: "00", count: 32))",
            "Counter0": "070000",
            "Tearing0": "BD"
          },
          "blocks": {
            "0": "04A1B29F", "1": "C3D4E580", "2": "72480000", "3": "E1100600", "4": "0300FE00",
            \((5..<16).map { "\"\($0)\": \"00000000\"" }.joined(separator: ", "))
          }
        }
        """

    /// Returns a MIFARE Classic 1K as Proxmark's client writes it, with the type first and its specific parts after
    /// that.
    static func proxmarkClassic(
        type: String = "mfc v2", keys: String = "\"0\": { \"KeyA\": \"FFFFFFFFFFFF\", \"KeyB\": \"FFFFFFFFFFFF\" }"
    ) -> String {
        let trailer = "FFFFFFFFFFFFFF078069FFFFFFFFFFFF"
        let blocks = (0..<64).map { block in
            let bytes = block == 0 ? "DEADBEEF220804006263646566676869" : String(repeating: "00", count: 16)
            return "\"\(block)\": \"\(block % 4 == 3 ? trailer : bytes)\""
        }
        return """
            {
              "Created": "proxmark3", "FileType": "\(type)",
              "Card": { "UID": "DEADBEEF", "ATQA": "0400", "SAK": "08" },
              "blocks": { \(blocks.joined(separator: ", ")) },
              "SectorKeys": { \(keys) }
            }
            """
    }

    /// A Type 4 Tag in nfctool's own JSON format.
    static let ownType4 = """
        {
          "Created": "nfctool",
          "FileType": "nfctool",
          "schema": 1,
          "kind": "type4",
          "Card": {
            "UID": "04A1B2C3D4E580",
            "ATQA": "4403",
            "SAK": "20",
            "ATS": "75778102"
          },
          "files": {
            "E103": "000F20003B00340406E10401000000",
            "E104": "0003D00000"
          }
        }

        """

    static let all: [(TagImage.Format, String)] = [
        (.nfc, flipperUltralight11), (.nfc, flipperNTAG213(version: 2, atqa: "44 00")),
        (.nfc, flipperNTAG213(version: 3, atqa: "00 44")), (.nfc, flipperClassic), (.nfc, flipperClassicKeyMaps),
        (.nfc, flipperFeliCa), (.json, proxmarkUltralight), (.json, proxmarkClassic()), (.json, ownType4),
    ]
}

func image(_ text: String, _ format: TagImage.Format) throws -> TagImage {
    try TagImage(Array(text.utf8), format: format)
}

func text(_ image: TagImage, _ format: TagImage.Format) throws -> String {
    String(decoding: try image.bytes(format), as: UTF8.self)
}

/// Returns the message of the error that reading a file throws, or nil if it throws none.
func refusal(_ bytes: [UInt8], _ format: TagImage.Format) -> String? {
    do {
        _ = try TagImage(bytes, format: format)
        return nil
    } catch {
        return error.description
    }
}

func bytes(_ hex: String) -> [UInt8] {
    var digits = hex.filter { $0 != " " }[...]
    var bytes: [UInt8] = []
    while !digits.isEmpty {
        bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
        digits = digits.dropFirst(2)
    }
    return bytes
}
