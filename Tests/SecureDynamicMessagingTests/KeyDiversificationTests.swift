// Keys derived as in NXP AN10922, section 2.2.1, with its example from libfreefare's tests
// (test_mifare_key_deriver_an10922.c)

import Testing

@testable import SecureDynamicMessaging

@Suite struct KeyDiversificationTests {
    private static let master = "00112233445566778899AABBCCDDEEFF"
    private static let shared = "0F0E0D0C0B0A09080706050403020100"
    private static let uid: [UInt8] = [0x04, 0x78, 0x2E, 0x21, 0x80, 0x1D, 0x80]

    private static func bytes(_ hex: String) throws -> [UInt8] { try #require(SDMAddress.bytes(Array(hex.utf8)[...])) }

    @Test func aKeyIsDerivedAsNXPShows() throws {
        let master = try #require(AES128Key(Self.bytes(Self.master)))
        let diversification = try #require(
            KeyDiversification(application: [0x30, 0x42, 0xF5], system: Array("NXP Abu".utf8)))
        let key = diversification.key(of: Self.uid, from: master)
        #expect(try key?.bytes == Self.bytes("A8DD63A3B89D54B37CA802473FDA9175"))
    }

    /// The example of NXP AN10957, pages 13 and 14, from the same tests: half of the padding is a separate block.
    @Test func aShortInputIsPaddedTo32Bytes() throws {
        let master = try #require(AES128Key(Self.bytes("F3F9377698707B688EAF84ABE39E3791")))
        let diversification = try #require(KeyDiversification(application: []))
        let key = diversification.key(of: [0x04, 0xDE, 0xAD, 0xBE, 0xEF, 0xFE, 0xED], from: master)
        #expect(try key?.bytes == Self.bytes("0BB408BAFF98B6EE9F2E1585777F6A51"))
    }

    @Test func theInputEndsAt32Bytes() throws {
        let master = try #require(AES128Key(Self.bytes(Self.master)))
        let system = [UInt8](repeating: 0x5A, count: 24)
        let key = try #require(KeyDiversification(application: [], system: system)?.key(of: Self.uid, from: master))
        // Nothing needs padding, so this is the CMAC of NIST.
        #expect(key.bytes == master.authenticationCode(of: [0x01] + Self.uid + system))
        #expect(KeyDiversification(application: [0], system: system) == nil)
        #expect(KeyDiversification()?.key(of: [0x08, 0x01, 0x02, 0x03], from: master) == nil)
    }

    @Test func keysThatVerifyAndAlsoChangeAreFound() throws {
        let (key, other) = (Self.master, Self.shared)
        func found(_ text: String) throws -> [Int] { try SDMKeyFile(text, naming: []).alsoChanging }
        #expect(try found(key) == [1, 2])
        #expect(try found("0 = \(key)\n1 = \(key)\n2 = \(other)") == [1])
        #expect(try found("0 = \(key)\n1 = \(other)\n2 = \(key)") == [2])
        #expect(try found("0 = \(key)\n1 = \(other)\n2 = \(other)").isEmpty)
        // Keys 1 and 2 are zeros, and so is key 0.
        #expect(try found("3 = \(key)").isEmpty)
        let masters = "diversify = AN10922\n0 = \(key)\n1 = \(key)\n2 = \(other)"
        #expect(try found(masters) == [1])
        #expect(try SDMKeyFile(masters).keys(of: Self.uid).alsoChanging == [1])
    }

    @Test func aFileOfMasterKeysGivesEachTagItsOwn() throws {
        let text = "diversify = AN10922\nsystem = NXP Abu\naid = 3042F5\n\(Self.master)\nmeta = \(Self.shared)\n"
        let file = try SDMKeyFile(text)
        let keys = file.keys(of: Self.uid)
        #expect(keys.named == [0, 1, 2, 3, 4])
        #expect(try keys[1].bytes == Self.bytes("A8DD63A3B89D54B37CA802473FDA9175"))
        #expect(try keys[2].bytes == Self.bytes(Self.shared))
        #expect(file.keys(of: [0x04] + Self.uid.dropFirst().reversed())[1] != keys[1])
        // With a random UID, only the key that all tags share is known.
        #expect(file.keys(of: [0x08, 0x01, 0x02, 0x03]).named == [2])
        // The system identifier may be given in hexadecimal. Without `aid`, the application is a different one.
        let hex = text.replacing("NXP Abu", with: "hex:4E585020416275")
        #expect(try SDMKeyFile(hex) == file)
        #expect(try SDMKeyFile("\u{FEFF}" + text) == file)
        #expect(try SDMKeyFile(text.replacing("aid = 3042F5\n", with: "")) != file)
    }

    @Test(arguments: [
        ("diversify = AN10922\n\(master)", 3, SDMKeyFile.BadLine.Reason.missing(2)),
        ("diversify = AN10922\n\(master)\nmeta = \(master)", 4, .masterIsShared),
        ("diversify = AN10957\n0 = \(master)", 1, .badDiversification),
        ("\(master)\nsystem = x", 2, .badDiversification),
        ("\(master)\n0 = \(master)", 2, .notAKey),
        ("diversify = AN10922\naid =\n0 = \(master)", 2, .badDiversification),
        ("diversify = AN10922\nsystem =\n0 = \(master)", 2, .badDiversification),
        ("diversify = AN10922\naid = 304\n0 = \(master)", 2, .badDiversification),
        ("diversify = AN10922\nsystem = \(String(repeating: "x", count: 18))\n0 = \(master)", 1, .badDiversification),
        ("diversify = AN10922\ndiversify = AN10922\n0 = \(master)", 2, .notAKey),
        ("diversify = AN10922\n", 3, .missing(0)),
    ])
    func aFileThatCannotBeMeantSoIsRefused(text: String, line: Int, reason: SDMKeyFile.BadLine.Reason) {
        #expect(throws: SDMKeyFile.BadLine(number: line, reason: reason)) { try SDMKeyFile(text, naming: []) }
    }
}
