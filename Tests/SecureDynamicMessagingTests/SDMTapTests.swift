// URLs that NXP and others published with their keys — AN12196; sdm-backend's examples

import Testing

@testable import SecureDynamicMessaging

@Suite struct SDMTapTests {
    private static let encrypted =
        "https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
    private static let withFile =
        "https://www.my424dna.com/?picc_data=FD91EC264309878BE6345CBE53BADF40&enc=CEE9A53E3E463EF1F459635736738962&cmac=ECC1E7F6C6C73BF6"
    private static let plain = "https://sdm.nfcdeveloper.com/tagpt?uid=041E3C8A2D6B80&ctr=000006&cmac=4B00064004B0B3D3"

    private static func verified(_ address: String, template: String? = nil) throws -> SDMTap {
        guard let template else { return try SDMTap.verified(address, .factory) }
        return try SDMTap(SDMAddress(address, template: SDMTemplate(template)), .factory)
    }

    @Test func encryptedPICCDataIsDecryptedAndVerified() throws {
        let tap = try Self.verified(Self.encrypted)
        #expect(tap.uid == [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])
        #expect(tap.counter == 61)
        #expect(tap.fileData == nil)
        #expect(try Self.verified(Self.encrypted, template: "https://ntag.nxp.com/424?e={picc}&c={mac}") == tap)
    }

    @Test func encryptedFileDataIsDecryptedAndVerified() throws {
        let tap = try Self.verified(Self.withFile)
        #expect(tap.uid == [0x04, 0x95, 0x8C, 0xAA, 0x5C, 0x5E, 0x80])
        #expect(tap.counter == 8)
        #expect(tap.fileData == Array("xxxxxxxxxxxxxxxx".utf8))
        let template = "https://www.my424dna.com/?picc_data={picc}&enc={file:32}&cmac={mac}"
        #expect(try Self.verified(Self.withFile, template: template) == tap)
    }

    /// Anyone can append data to a genuine URL.
    @Test func dataBehindTheMACIsNoFileDataOfTheTag() throws {
        let address = Self.encrypted + "&f=41414141414141414141414141414141"
        let tap = try Self.verified(address)
        #expect(tap.counter == 61 && tap.fileData == nil)
        #expect(throws: SDMError.impossible("{file:32}")) {
            try Self.verified(address, template: "https://ntag.nxp.com/424?e={picc}&c={mac}&f={file:32}")
        }
    }

    @Test func aUIDInPlainTextIsVerified() throws {
        let tap = try Self.verified(Self.plain)
        #expect(tap.uid == [0x04, 0x1E, 0x3C, 0x8A, 0x2D, 0x6B, 0x80])
        #expect(tap.counter == 6)
    }

    /// Made by `nfctool sdm setup` with factory keys: after the UID in plain digits, 32 digits are file data.
    @Test func fileDataAfterAPlainUIDIsFoundWithoutATemplate() throws {
        let tap = try Self.verified(
            "https://e.x/?u=04BA347E720B2B&n=000001&f=E007880C4388E576A550224A9AD4DF25&c=3BEADE83C1DE5F71")
        #expect(tap.uid == [0x04, 0xBA, 0x34, 0x7E, 0x72, 0x0B, 0x2B] && tap.counter == 1)
    }

    /// The literals have the lengths of a MAC, of an encrypted UID, of a plain UID and of a counter.
    @Test(arguments: [
        "id=0123456789abcdef&", "id=00112233445566778899AABBCCDDEEFF&", "u=04010203040506&", "n=000001&",
        "u=04010203040506&n=000001&id=0123456789abcdef&x=00112233445566778899AABBCCDDEEFF&",
    ])
    func aFixedValueWithTheLengthOfAPartIsNotTakenForIt(fixed: String) throws {
        let address = Self.encrypted.replacing("?", with: "?" + fixed)
        #expect(try Self.verified(address) == Self.verified(Self.encrypted))
        let forged = address.replacing("EF963F", with: "EF963E")
        #expect(throws: SDMError.self) { try Self.verified(forged) }
    }

    /// Made by `nfctool sdm setup` with factory keys.
    @Test func fileDataBeforeTheEncryptedUIDIsFoundWithoutATemplate() throws {
        let address =
            "https://example.com/?f=2C87EFDBB872C107DE55748B8BC33894&e="
            + "186575DDAA8725AFB5BF05ED0C559FEE&c=31CE84AB260156C7"
        let tap = try Self.verified(address)
        let template = "https://example.com/?f={file:32}&e={picc}&c={mac}"
        #expect(try Self.verified(address, template: template) == tap)
        #expect(tap.fileData == Array("HelloMaker123456".utf8))
    }

    @Test func aQueryWithManyValuesIsSplitInFewWays() throws {
        let many = (0..<15).map { "v\($0)=00112233445566778899AABBCCDDEEFF" }.joined(separator: "&")
        let candidates = try SDMAddress.candidates("https://x.example/?\(many)&c=94EED9EE65337086")
        #expect(1...1_000 ~= candidates.count)
    }

    @Test func aKeyForOneTapIsDerivedAsNXPShows() throws {
        let key = try #require(
            AES128Key([
                0x5A, 0xCE, 0x7E, 0x50, 0xAB, 0x65, 0xD5, 0xD5, 0x1F, 0xD5, 0xBF, 0x5A, 0x16, 0xB8, 0x20, 0x5B,
            ]))
        let vector: [UInt8] = [
            0x3C, 0xC3, 0x00, 0x01, 0x00, 0x80, 0x04, 0xC7, 0x67, 0xF2, 0x06, 0x61, 0x80, 0x01, 0x00, 0x00,
        ]
        #expect(
            key.authenticationCode(of: vector) == [
                0x3A, 0x3E, 0x81, 0x10, 0xE0, 0x53, 0x11, 0xF7, 0xA3, 0xFC, 0xF0, 0xD9, 0x69, 0xBF, 0x2B, 0x48,
            ])
    }

    @Test func eachChangedDigitIsNoticed() throws {
        for address in [Self.encrypted, Self.withFile, Self.plain] {
            let start = try #require(address.firstIndex(of: "?"))
            for index in address.indices[start...]
            where address[index].isHexDigit && address[index].isUppercase || address[index].isNumber {
                guard address[..<index].contains("=") else { continue }
                var changed = address
                changed.replaceSubrange(index...index, with: address[index] == "0" ? "1" : "0")
                #expect(throws: SDMError.self, "\(changed)") { try Self.verified(changed) }
            }
        }
    }

    @Test func anotherKeyIsRefused() throws {
        let other = try #require(AES128Key([UInt8](repeating: 7, count: 16)))
        let address = try SDMAddress(
            Self.encrypted, template: SDMTemplate("https://ntag.nxp.com/424?e={picc}&c={mac}"))
        #expect(throws: SDMError.self) {
            try SDMTap(address, metaReadKey: other, fileReadKey: .factory)
        }
        #expect(throws: SDMError.forged) {
            try SDMTap(address, metaReadKey: .factory, fileReadKey: other)
        }
    }

    @Test(arguments: [
        ("https://x.example/?e={picc}&c={mac}&d={mac}", "{mac}"), ("https://x.example/?e={pic}&c={mac}", "{pic}"),
        ("https://x.example/?e={picc}&u={uid}&c={mac}", "{uid}"),
        ("https://x.example/?e={picc}&f={file:31}&c={mac}", "{file:31}"),
        ("https://x.example/?e={picc", "{picc"),
    ])
    func invalidTemplatesAreRefused(template: String, placeholder: String) {
        #expect(throws: SDMError.badTemplate(placeholder)) { try SDMTemplate(template) }
    }

    @Test(arguments: [
        ("https://x.example/?c={mac}", SDMPart.picc, "The template has neither {picc} nor {uid}. "),
        ("https://x.example/?e={picc}", SDMPart.mac, "The template has no {mac}. "),
    ])
    func aTemplateWithoutANecessaryPlaceholderIsRefused(template: String, part: SDMPart, sentence: String) {
        let error = #expect(throws: SDMError.templateLacks(part)) { try SDMTemplate(template) }
        #expect(error?.description.hasPrefix(sentence) == true)
    }

    @Test(arguments: [
        "", "https://x.example/", "https://x.example/?e=EF96", "?", "=", "&&&=?=&", "?c=94EED9EE65337086",
    ])
    func urlsWithMissingPartsAreIncomplete(address: String) {
        #expect(throws: SDMError.self) { try SDMAddress.candidates(address) }
    }

    @Test(arguments: [("0", 17), ("00", 18)])
    func aMACWithTooManyDigitsIsNamed(more: String, digits: Int) {
        #expect(throws: SDMError.misshapenMAC(name: "c", digits: digits)) {
            try SDMAddress.candidates(Self.encrypted + more)
        }
    }

    @Test func aFragmentIsNoPartOfTheMAC() throws {
        #expect(try Self.verified(Self.encrypted + "#top") == Self.verified(Self.encrypted))
        #expect(try Self.verified(Self.plain + "#?c=1&d") == Self.verified(Self.plain))
        #expect(throws: SDMError.misshapenMAC(name: "c", digits: 15)) {
            try SDMAddress.candidates(String(Self.encrypted.dropLast()) + "#top")
        }
    }

    @Test func aURLThatDoesNotMatchTheTemplateIsReported() throws {
        let template = try SDMTemplate("https://x.example/?e={picc}&c={mac}")
        #expect(throws: SDMError.unlike(template: template.text)) { try SDMAddress(Self.encrypted, template: template) }
    }

    // MARK: Layouts and key files

    @Test func aLayoutHasZerosWhereTheTagFillsIn() throws {
        let layout = try SDMLayout(
            SDMTemplate("https://x.example/{signed}?e={picc}&f={file:32}&c={mac}"), fileText: "sixteen letters!")
        #expect(layout.address.utf8.count == 18 + 3 + 32 + 3 + 32 + 3 + 16)
        #expect(layout.signedFrom == 18 && layout.places[.picc] == 21..<53 && layout.places[.file] == 56..<88)
        #expect(layout.address.contains("f=sixteen letters!0000000000000000&c=0000000000000000"))
    }

    @Test(
        arguments: [
            ("x/{mac}{file:32}{picc}", nil, SDMError.impossible("{file:32}")),
            ("x/{picc}{mac}{signed}", nil, .impossible("{signed}")),
            ("x/{uid}{file:32}{mac}", nil, .impossible("{file:32}")),
            ("x/{picc}{file:32}{signed}{mac}", nil, .impossible("{file:32}")),
            ("x/{picc}{mac}", "text", .fileText(length: 0)), ("x/{picc}{file:32}{mac}", "short", .fileText(length: 16)),
            ("x/{picc}{file:32}{mac}", "fifteen letters\n", .fileText(length: 16)),
        ] as [(String, String?, SDMError)])
    func aLayoutThatNoTagKnowsIsRefused(template: String, fileText: String?, error: SDMError) {
        #expect(throws: error) { try SDMLayout(SDMTemplate(template), fileText: fileText) }
    }

    @Test func aKeyFileNamesAllKeysOrSome() throws {
        let digits = "00112233445566778899AABBCCDDEEFF"
        #expect(try SDMKeyFile(digits).named == [0, 1, 2, 3, 4])
        #expect(try SDMKeyFile("# mine\n0 = \(digits)\nmeta=\(digits)\n", naming: []).named == [0, 2])
        for wrong in [
            "", "5 = \(digits)", "00 = \(digits)", "meta = \(digits)\n2 = \(digits)", "\(digits)\n\(digits)", "x",
        ] {
            #expect(throws: SDMKeyFile.BadLine.self) { try SDMKeyFile(wrong, naming: []) }
        }
        #expect(throws: SDMKeyFile.BadLine(number: 2, reason: .missing(2))) { try SDMKeyFile("0 = \(digits)") }
    }
}
