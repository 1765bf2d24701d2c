// NTAG 223 DNA and NTAG 224 DNA: password, AES authentication, protection — zc-public/breakme-resources,
// CRThu/nfctester

import Testing
@testable import VirtualPN532

@Suite struct NTAG22xAuthenticationTests {
    private static let kinds: [(VirtualTagKind, first: Int)] = [(.ntag223DNA, 0x29), (.ntag224DNA, 0x39)]
    private static let factoryKey = [UInt8](repeating: 0, count: 16)
    private static let ownKey = [UInt8](0..<16)

    /// Sets PWD 01020304 and PACK ABCD, or the key 00…0F, followed by CFG1 and CFG0.
    private func protected(
        _ kind: VirtualTagKind, access: String = "00", auth0: String = "10"
    ) throws -> VirtualType2Tag {
        let tag = try kind.type2()
        let commands =
            kind == .ntag223DNA
            ? [
                "A2 2B 01 02 03 04", "A2 2C AB CD 00 00", "A2 2A \(access) 00 00 00", "A2 29 00 00 00 \(auth0)",
            ]
            : [
                "A2 40 0F 0E 0D 0C", "A2 41 0B 0A 09 08", "A2 42 07 06 05 04", "A2 43 03 02 01 00",
                "A2 3A \(access) 00 00 00", "A2 39 00 00 00 \(auth0)",
            ]
        for command in commands { #expect(tag.send(command) == "ACK") }
        return tag.activate()
    }

    /// Whether the tag accepts the password or key of `protected`.
    private func authenticate(_ tag: VirtualType2Tag) throws -> Bool {
        if tag.chip == .ntag223DNA { return tag.send("1B 01 02 03 04") == "AB CD" }
        return try tag.authenticate(aesKey: Self.ownKey)
    }

    // MARK: Password and key

    /// Data sheet NTAG 224 DNA, table 21, as quoted by CRThu/nfctester.
    @Test func theHandshakeIsTheExampleOfTheDataSheet() throws {
        let tag = try VirtualTagKind.ntag224DNA.type2()
        let authentication = UltralightAESAuthentication(
            keyNumber: 0, keyBlocks: Array(tag.contents[0x40 * 4..<0x44 * 4]),
            rndB: octets("B9E2FC789B64BF237CCCAA20EC7E6E48"))
        #expect(authentication.challenge == octets("A04C124213C186F22399D33AC2A30215"))
        tag.withCard { $0.pending = .authenticateAES(authentication) }
        let token = octets("35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D")
        let answer = bytes(tag.send("AF " + String(flipperBytes: token)))
        #expect(answer == [0x00] + octets("DB5A73B3BC9D0501D0C52177DE630619"))
        #expect(tag.isAuthenticated)
    }

    @Test func thePasswordGivesPACKAndAWrongOneEndsTheSelection() throws {
        #expect(try VirtualTagKind.ntag223DNA.type2().send("1B FF FF FF FF") == "00 00")
        let tag = try protected(.ntag223DNA)
        for command in ["1B FF FF FF FF", "1B 01 02 03", "1B 01 02 03 04 05", "1A 00"] {
            #expect(tag.activate().send(command) == "NAK 0")
            #expect(tag.send("30 00") == "-")
        }
        #expect(tag.activate().send("1B 01 02 03 04") == "AB CD")
        #expect(tag.isAuthenticated)
    }

    @Test func theKeyAuthenticatesAndAWrongOneEndsTheSelection() throws {
        let delivered = try VirtualTagKind.ntag224DNA.type2()
        #expect(delivered.send("1A 00") != delivered.activate().send("1A 00"))
        #expect(try delivered.activate().authenticate(aesKey: Self.factoryKey))
        let tag = try protected(.ntag224DNA)
        for key in [Self.factoryKey, Array(Self.ownKey.reversed())] {
            #expect(try !tag.activate().authenticate(aesKey: key))
            #expect(!tag.isAuthenticated)
            #expect(tag.send("30 00") == "-")
        }
        #expect(try tag.activate().authenticate(aesKey: Self.ownKey))
        #expect(tag.isAuthenticated)
    }

    @Test func otherKeyNumbersAndPasswordsAreNAKOnANTAG224DNA() throws {
        let tag = try VirtualTagKind.ntag224DNA.type2()
        let part2 = "AF" + String(repeating: " 00", count: 32)
        for command in ["1A", "1A 01", "1A 02", "1A 00 00", "1B FF FF FF FF", "1B 00 00 00 00", part2] {
            #expect(tag.activate().send(command) == "NAK 0")
        }
    }

    @Test(arguments: ["", "30 00", "AF", "AF 00", "00" + String(repeating: " 00", count: 32)])
    func anythingElseThanPart2EndsTheSelection(second: String) throws {
        let tag = try VirtualTagKind.ntag224DNA.type2()
        tag.send("1A 00")
        #expect(tag.send(second) == "NAK 0")
        #expect(tag.send("30 00") == "-")
        #expect(!tag.isAuthenticated)
    }

    /// The bits of CFG1 that limit wrong passwords on an NTAG213 have another meaning on these chips.
    @Test(arguments: kinds) func wrongAttemptsNeverCloseTheTag(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind, access: "07")
        for _ in 1...20 {
            tag.activate()
            if kind == .ntag223DNA {
                #expect(tag.send("1B 00 00 00 00") == "NAK 0")
            } else {
                #expect(try !tag.authenticate(aesKey: Self.factoryKey))
            }
        }
        #expect(tag.flipperText.contains("Failed authentication attempts: 0\n"))
        #expect(try authenticate(tag.activate()))
    }

    @Test(arguments: kinds) func passwordsAndKeysReadAsZeros(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind)
        #expect(try authenticate(tag))
        let (secret, count) = kind == .ntag223DNA ? (first + 2, 2) : (first + 7, 4)
        let range = String(flipperBytes: [UInt8(secret), UInt8(secret + count - 1)])
        #expect(tag.send("3A " + range) == String(flipperBytes: [UInt8](repeating: 0, count: 4 * count)))
        let expected =
            kind == .ntag223DNA
            ? bytes("01 02 03 04 AB CD 00 00") : bytes("0F 0E 0D 0C 0B 0A 09 08 07 06 05 04 03 02 01 00")
        #expect(Array(tag.contents[secret * 4..<(secret + count) * 4]) == expected)
    }

    // MARK: Protection

    @Test(arguments: kinds) func asDeliveredNothingIsProtected(kind: VirtualTagKind, first: Int) throws {
        let tag = try kind.type2()
        let (configuration, last) = (String(flipperBytes: [UInt8(first)]), String(flipperBytes: [UInt8(first + 18)]))
        #expect(tag.send("30 " + configuration).hasPrefix(kind == .ntag223DNA ? "00 00 00 3C" : "00 00 00 4C"))
        #expect(tag.send("A2 \(last) 00 00 00 00") == "ACK")
        #expect(!tag.isAuthenticated)
    }

    @Test(arguments: kinds) func writingFromAUTH0OnNeedsTheSecret(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind)
        #expect(tag.send("A2 0F 00 00 00 01") == "ACK")
        #expect(tag.send("30 10").hasPrefix("00 00 00 00"))
        #expect(tag.send("A2 10 00 00 00 01") == "NAK 0")
        #expect(tag.activate().send("A0 10") == "NAK 0")
        #expect(try authenticate(tag.activate()))
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
        #expect(tag.send("30 10").hasPrefix("00 00 00 01"))
    }

    @Test(arguments: kinds) func protForbidsReadingFromAUTH0OnToo(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind, access: "80")
        let blocks0And1 = String(flipperBytes: tag.contents.prefix(8))
        #expect(tag.send("30 0E") == "00 00 00 00 00 00 00 00 " + blocks0And1)
        #expect(tag.send("3A 0E 10") == "NAK 0")
        #expect(tag.activate().send("30 10") == "NAK 0")
        #expect(try authenticate(tag.activate()))
        #expect(tag.send("30 10") == String(flipperBytes: [UInt8](repeating: 0, count: 16)))
        #expect(tag.send("3A 0E 10") == String(flipperBytes: [UInt8](repeating: 0, count: 12)))
    }

    /// CFG0 bit 1 asks for a CMAC on an Ultralight AES.
    @Test func commandsStayPlainAfterAuthentication() throws {
        let tag = try protected(.ntag224DNA)
        #expect(try tag.authenticate(aesKey: Self.ownKey))
        #expect(tag.send("A2 39 02 00 00 10") == "ACK")
        #expect(try tag.activate().authenticate(aesKey: Self.ownKey))
        #expect(tag.send("A2 10 00 00 00 01") == "ACK")
    }

    @Test(arguments: kinds) func authenticationEndsWithTheNextActivation(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind)
        #expect(try authenticate(tag))
        tag.send("50 00")
        #expect(!tag.isAuthenticated)
        #expect(tag.poll(wakeUp: true))
        tag.select()
        #expect(tag.send("A2 10 00 00 00 01") == "NAK 0")
        for wakeUp in [false, true] {
            #expect(try authenticate(tag.activate()))
            _ = tag.poll(wakeUp: wakeUp)
            #expect(!tag.isAuthenticated)
        }
        #expect(try authenticate(tag.activate()))
        #expect(tag.activate().send("A2 10 00 00 00 01") == "NAK 0")
    }

    // MARK: Files

    @Test(arguments: kinds) func filesKeepTheSecrets(kind: VirtualTagKind, first: Int) throws {
        let tag = try protected(kind, access: "80")
        let loaded = try #require(try FlipperFile.parse(tag.flipperText) as? VirtualType2Tag)
        #expect(loaded.memory == tag.memory)
        #expect(loaded.activate().send("30 10") == "NAK 0")
        #expect(try authenticate(loaded.activate()))
        #expect(loaded.send("A2 10 00 00 00 01") == "ACK")
    }

    @Test func aPasswordOfZerosInAFileIsThePassword() throws {
        let text = try protected(.ntag223DNA).flipperText
            .replacing("Page 43: 01 02 03 04", with: "Page 43: 00 00 00 00")
        let tag = try #require(try FlipperFile.parse(text) as? VirtualType2Tag)
        #expect(tag.activate().send("1B FF FF FF FF") == "NAK 0")
        #expect(tag.activate().send("1B 00 00 00 00") == "AB CD")
    }

    /// The blocks after the password also count as unread, and the tag shows them.
    @Test func aFileWithoutThePasswordIsRefused() throws {
        let text = try protected(.ntag223DNA).flipperText.replacing("Pages read: 60", with: "Pages read: 43")
        #expect(throws: FlipperFileError(line: nil, key: "Page 43", reason: .unknown)) { try FlipperFile.parse(text) }
    }
}
