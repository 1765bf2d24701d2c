// The bytes that a trace shows and hides — NXP NTAG21x, MF0ICU2, MF1S50yyX; libnfc 1.8's debug lines

import Testing

@testable import LibNFC
@testable import ReaderInterface

@Suite struct WireMaskTests {
    @Test func onlySecretsAreHidden() {
        var mask = WireMask()
        #expect(mask.text(ofCommand: [0x30, 0x04]) == "30 04")
        #expect(mask.text(ofAnswer: [1, 2]) == "01 02")
        #expect(mask.text(ofCommand: [0x1B, 1, 2, 3, 4]) == "1B ** ** ** **")
        #expect(mask.text(ofAnswer: [5, 6]) == "** **")
        #expect(mask.text(ofCommand: [0x1B, 1, 2, 3, 4]) == "1B ** ** ** **")
        #expect(mask.text(ofAnswer: [0x00]) == "00")
        #expect(mask.text(ofCommand: [0x60, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).hasPrefix("60 07 ** ** ** ** ** **"))
        #expect(mask.text(ofCommand: [0x30, 7]) == "30 07")
        #expect(mask.text(ofAnswer: Array(repeating: 1, count: 16)).hasSuffix("01 ** ** ** ** ** **"))
        #expect(mask.text(ofCommand: [0xA0, 4] + Array(repeating: 1, count: 16)).hasSuffix("01"))
        #expect(mask.text(ofCommand: [0xA0, 7] + Array(repeating: 1, count: 16)).hasPrefix("A0 07 **"))
        #expect(mask.text(ofCommand: [0x90, 0xC4, 0, 0, 2, 1, 0xAA, 0]) == "90 C4 00 00 02 01 ** **")
        #expect(mask.text(ofCommand: [0x90, 0x5F, 0, 0, 1, 2, 0]) == "90 5F 00 00 01 02 00")
    }

    @Test func theBlocksOfThePasswordAreThoseOfTheChip() {
        var mask = WireMask()
        #expect(mask.text(ofCommand: [0xA2, 0x2B, 1, 2, 3, 4]) == "A2 2B ** ** ** **")
        _ = mask.text(ofCommand: [0x60])
        // NTAG215
        _ = mask.text(ofAnswer: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03])
        #expect(mask.text(ofCommand: [0xA2, 0x2B, 1, 2, 3, 4]) == "A2 2B 01 02 03 04")
        #expect(mask.text(ofCommand: [0xA2, 0x85, 1, 2, 3, 4]) == "A2 85 ** ** ** **")
        // Ultralight AES
        _ = mask.text(ofCommand: [0x60])
        _ = mask.text(ofAnswer: [0x00, 0x04, 0x03, 0x01, 0x04, 0x00, 0x0F, 0x03])
        for block in UInt8(0x30)...0x37 {
            #expect(mask.text(ofCommand: [0xA2, block, 1, 2, 3, 4]).hasSuffix(" ** ** ** **"))
        }
        // Another tag, which does not identify itself.
        _ = mask.text(ofCommand: [0x60])
        #expect(mask.text(ofCommand: [0xA2, 0x2F, 1, 2, 3, 4]) == "A2 2F ** ** ** **")
    }

    @Test func authenticationsAreHiddenInBothDirections() {
        var mask = WireMask()
        let random = [UInt8](repeating: 0x5A, count: 8)
        let stars = Array(repeating: "**", count: 8).joined(separator: " ")
        // Ultralight C.
        #expect(mask.text(ofCommand: [0x1A, 0x00]) == "1A 00")
        #expect(!mask.text(ofAnswer: [0xAF] + random).contains("5A"))
        #expect(mask.text(ofCommand: [0xAF] + random + random) == "AF \(stars) \(stars)")
        #expect(!mask.text(ofAnswer: [0x00] + random).contains("5A"))
        #expect(mask.text(ofCommand: [0x30, 0x04]) == "30 04")
        #expect(mask.text(ofAnswer: random).contains("5A"))
        // NTAG 424 DNA: AuthenticateEV2First with key 2, its second part, ChangeKey.
        _ = mask.text(ofCommand: [0x90, 0x71, 0x00, 0x00, 0x05, 0x02, 0x03, 0x00, 0x00, 0x00, 0x00])
        #expect(!mask.text(ofAnswer: random + random + [0x91, 0xAF]).contains("5A"))
        #expect(mask.text(ofCommand: [0x90, 0xAF, 0x00, 0x00, 0x08] + random + [0x00]) == "90 AF 00 00 08 \(stars) **")
        #expect(mask.text(ofAnswer: [0x91, 0xAE]) == "91 AE")
        #expect(
            mask.text(ofCommand: [0x90, 0xC4, 0x00, 0x00, 0x09, 0x01] + random + [0x00]).hasPrefix(
                "90 C4 00 00 09 01 **"))
        // More data in another command is not an authentication.
        _ = mask.text(ofCommand: [0x90, 0xBD, 0x00, 0x00, 0x01, 0x02, 0x00])
        #expect(mask.text(ofCommand: [0x90, 0xAF, 0x00, 0x00, 0x08] + random + [0x00]).contains("5A"))
        // VERIFY: the PIN 1234.
        #expect(mask.text(ofCommand: [0x00, 0x20, 0x00, 0x80, 0x04, 1, 2, 3, 4]) == "00 20 00 80 04 ** ** ** **")
        #expect(mask.text(ofAnswer: [0x90, 0x00]) == "90 00")
        #expect(mask.text(ofCommand: [0x00, 0xA4, 0x04, 0x00, 0x02, 0xD2, 0x76]) == "00 A4 04 00 02 D2 76")
    }

    @Test("COMPATIBILITY_WRITE of a password is hidden, in one frame and in two") func compatibilityWrite() {
        var mask = WireMask()
        let data = [UInt8](repeating: 0x5A, count: 16)
        #expect(mask.text(ofCommand: [0xA0, 0x2B] + data).hasPrefix("A0 2B **"))
        #expect(mask.text(ofCommand: [0xA0, 0x2C]) == "A0 2C")
        #expect(mask.text(ofAnswer: [0x0A]) == "0A")
        #expect(!mask.text(ofCommand: data).contains("5A"))
        // Other blocks.
        #expect(mask.text(ofCommand: [0xA0, 0x04]) == "A0 04")
        #expect(mask.text(ofCommand: data).contains("5A"))
    }

    @Test(
        "Commands of ISO 15693 chips that contain a password are hidden",
        arguments: [0xB1, 0xB3, 0xB4, 0xB9, 0xBA, 0xE4, 0xE6] as [UInt8])
    func passwordsOfNFCV(code: UInt8) {
        var mask = WireMask()
        let target = Target.nfcV(NFCVTarget(uid: [0xE0, 0x04, 0x01, 0x08, 1, 2, 3, 4]))
        #expect(mask.text(ofCommand: [0x02, code, 0x04, 1, 2, 3, 4], to: target).hasSuffix(" ** ** ** ** **"))
        #expect(mask.text(ofCommand: [0x02, 0xA6, 0x02, 1, 2, 3, 4], to: target) == "02 A6 ** ** ** ** **")
        #expect(mask.text(ofCommand: [0x02, 0xA6, 0x04], to: target) == "02 A6 04")
        #expect(mask.text(ofCommand: [0x02, 0x20, 0x04], to: target) == "02 20 04")
    }

    @Test func libnfcsFramesHideTheSame() {
        var mask = FrameLogMask()
        let read = "debug\tlibnfc.bus.uart\tTX: 00 00 ff 05 fb d4 40 01 30 04 b7 00 "
        #expect(mask.shown(read) == read)
        let answer = "debug\tlibnfc.bus.uart\tRX: d5 41 "
        #expect(mask.shown(answer) == answer)
        #expect(
            mask.shown("debug\tlibnfc.bus.uart\tTX: 00 00 ff 07 f9 d4 42 1b 11 22 33 44 25 00 ")
                == "debug\tlibnfc.bus.uart\tTX: 00 00 ff 07 f9 d4 42 1b ** ** ** ** ** **")
        #expect(mask.shown("debug\tlibnfc.bus.uart\tRX: 00 55 66 ") == "debug\tlibnfc.bus.uart\tRX: ** ** **")
        #expect(
            mask.shown("debug\tlibnfc.driver.acr122_usb\tTX: ff 00 00 00 07 d4 42 1b 11 22 33 44 ")
                == "debug\tlibnfc.driver.acr122_usb\tTX: ff 00 00 00 07 d4 42 1b ** ** ** **")
        #expect(mask.shown(read) == read)
        for line in ["", "\tTX: ", "\tTX: d4", "\tTX: d4 42", "\tTX: d4 40 01", "\tRX: zz", "debug\tx\tother"] {
            #expect(mask.shown(line) == line)
        }
    }
}
