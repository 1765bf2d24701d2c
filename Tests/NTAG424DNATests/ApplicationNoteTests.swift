// The module's bytes compared with those that NXP printed — AN12196 rev. 2.0; and with those of real chips (crate
// ntag424 0.1.0, docs.rs)

import SecureDynamicMessaging
import TagTypes
import Testing

@testable import NTAG424DNA

@Suite struct ApplicationNoteTests {
    private static let select = ("00A4040C07D276000085010100", "9000")

    /// Returns RndA from the second part of an authentication.
    private static func rndA(_ token: String, _ key: AES128Key = .factory) -> [UInt8] {
        Array(key.deciphered(bytes(token)).prefix(16))
    }

    private static func key(_ hex: String) throws -> AES128Key { try #require(AES128Key(bytes(hex))) }

    private static func session(
        _ transaction: String, _ cipherKey: String, _ codeKey: String
    ) throws -> NTAG424Session {
        NTAG424Session(
            keyNumber: 0, transaction: bytes(transaction), cipherKey: try key(cipherKey), codeKey: try key(codeKey))
    }

    /// Tables 14, 17 and 18: AuthenticateEV2First with key 0, WriteData in CommMode.Full, ChangeFileSettings.
    @Test func personalisationOfTheNDEFFile() throws {
        let token = "35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D"
        let tag = ScriptedTag([
            Self.select,
            ("9071000002000000", "A04C124213C186F22399D33AC2A3021591AF"),
            ("90AF000020\(token)00", "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100"),
            (
                """
                908D00009F02000000800000421C73A27D827658AF481FDFF20A5025B559D0E3AA21E58D347F343CFFC768BF\
                E596C706BC00F2176781D4B0242642A0FF5A42C461AAF894D9A1284B8C76BCFA\
                658ACD40555D362E08DB15CF421B51283F9064BCBE20E96CAE545B407C9D651A\
                3315B27373772E5DA2367D2064AE054AF996C6F1F669170FA88CE8C4E3A4A7BB\
                BEF0FD971FF532C3A802AF745660F2B4D1D9A8499661EBF300
                """, "FC222E5F7A5424529100"
            ),
            ("905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400", "57BFF87B1241E93D9100"),
        ])
        var chip = NTAG424(over: tag) { Self.rndA(token) }
        try chip.select()
        try chip.authenticate(0, .factory)
        #expect(try chip.session?.cipherKey == Self.key("1309C877509E5A215007FF0ED19CA564"))
        #expect(try chip.session?.codeKey == Self.key("4C6626F5E72EA694202139295C7A7FC7"))
        let rights = NativeFileSettings.AccessRights(read: .free, write: .key(0), readWrite: .key(0), change: .key(0))
        let before = NativeFileSettings(communication: .full, rights: rights, size: 256)
        let uri =
            "choose.url.com/ntag424?e=" + String(repeating: "0", count: 32) + "&c=" + String(repeating: "0", count: 16)
        let message = bytes("0051D1014D5504") + Array(uri.utf8)
        try chip.write(message + [UInt8](repeating: 0, count: 128 - message.count), to: .ndef, before)
        var dynamic = DynamicSettings(
            hasUID: true, hasCounter: true, metaRead: .key(2), fileRead: .key(1), counterRetrieval: .key(1))
        (dynamic.piccOffset, dynamic.macInputOffset, dynamic.macOffset) = (0x20, 0x43, 0x43)
        let settings = NativeFileSettings(communication: .plain, rights: rights, size: 256, dynamic: dynamic)
        #expect(settings.changeData == bytes("40 00E0 C1 F121 200000 430000 430000"))
        try chip.changeFileSettings(.ndef, to: settings)
        #expect(tag.isFinished)
    }

    /// Tables 19, 21, 23, 24, 25 and 26: WriteData with key 3, AuthenticateEV2NonFirst, WriteData in plain, ChangeKey.
    @Test func personalisationOfTheOtherFilesAndTheKeys() throws {
        let tokens = [
            "FF0306E47DFBC50087C4D8A78E88E62DE1E8BE457AA477C707E2F0874916A8B1",
            "BE7D45753F2CAB85F34BC60CE58B940763FE969658A532DF6D95EA2773F6E991",
        ]
        let tag = ScriptedTag([
            ("9071000002030000", "B875CEB0E66A6C5CD00898DC371F92D191AF"),
            ("90AF000020\(tokens[0])00", "0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A9100"),
            ("908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00", "C26D236E4A7C046D9100"),
            ("90770000010000", "A6A2B3C572D06C097BB8DB70463E22DC91AF"),
            ("90AF000020\(tokens[1])00", "B888349C24B315EAB5B589E279C8263E9100"),
            ("908D000019010E0000120000FF0506E1050080828300000000000000000000", "9100"),
            (
                "90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600",
                "203BB55D1089D5879100"
            ),
            (
                "90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200",
                "9100"
            ),
        ])
        var randoms = tokens.map { Self.rndA($0) }
        var chip = NTAG424(over: tag) { randoms.removeFirst() }
        try chip.authenticate(3, .factory)
        #expect(try chip.session?.cipherKey == Self.key("7A93D6571E4B180FCA6AC90C9A7488D4"))
        try chip.write(bytes("0102030405060708090A"), to: .proprietary, NTAG424.File.proprietary.factorySettings)
        try chip.authenticateNext(0, .factory)
        #expect(try chip.session?.cipherKey == Self.key("4CF3CB41A22583A61E89B158D252FC53"))
        #expect(chip.session?.counter == 1)
        try chip.write(
            bytes("FF0506E10500808283000000000000000000"), to: .capabilityContainer, at: 0x0E,
            NTAG424.File.capabilityContainer.factorySettings)
        try chip.changeKey(2, from: .factory, to: try Self.key("F3847D627727ED3BC9C4CC050489B966"), version: 1)
        #expect(chip.authenticatedKey == 0)
        try chip.changeKey(0, from: .factory, to: try Self.key("5004BF991F408672B1EF00F08F9E8647"), version: 1)
        #expect(chip.authenticatedKey == nil)
        #expect(tag.isFinished)
    }

    /// Table 7: GetFileSettings in CommMode.MAC.
    @Test func fileSettingsWithACode() throws {
        let tag = ScriptedTag([
            (
                "90F5000009026597A457C8CD442C00",
                "0040EEEE000100D1FE001F00004400004400002000006A00002A474282E7A479869100"
            )
        ])
        var chip = NTAG424(
            over: tag,
            session: try Self.session(
                "7A21085E", "00000000000000000000000000000000", "8248134A386E86EB7FAF54A52E536CB6")
        ) { [] }
        let settings = try chip.fileSettings(.ndef)
        #expect(settings.kind == .standardData && settings.communication == .plain && settings.size == 256)
        #expect(settings.rights == .init(read: .free, write: .free, readWrite: .free, change: .free))
        let dynamic = try #require(settings.dynamic)
        #expect(dynamic.hasUID && dynamic.hasCounter && dynamic.limit == nil && dynamic.uidOffset == nil)
        #expect(dynamic.metaRead == .key(0) && dynamic.fileRead == .key(0) && dynamic.counterRetrieval == .free)
        #expect(dynamic.fileData == 0x44..<0x64)
        #expect(dynamic.piccOffset == 0x1F && dynamic.macInputOffset == 0x44 && dynamic.macOffset == 0x6A)
        #expect(settings.changeData == bytes("40EEEE D1FE00 1F0000 440000 440000 200000 6A0000"))
    }

    /// Table 28: GetCardUID.
    @Test func cardUID() throws {
        let tag = ScriptedTag([
            ("90510000088E2C155ADDA99BE300", "70756055688505B52A5E26E59E329CD6595F672298EA41B79100")
        ])
        var chip = NTAG424(
            over: tag,
            session: try Self.session(
                "DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764")
        ) { [] }
        #expect(try chip.cardUID() == bytes("04958CAA5C5E80"))
    }

    /// Returns a session of a real chip, derived from its random numbers.
    private static func hardwareSession(counter: UInt16) -> NTAG424Session {
        let challenge = AES128Key.factory.deciphered(bytes("7858A0B9DBC468F0FF1B2F773D6DF9FC"))
        return NTAG424Session(
            keyNumber: 0, key: .factory, rndA: bytes("C4028B41E6F497099C7087768E78A191"), rndB: challenge,
            transaction: bytes("085BC941"), counter: counter)
    }

    /// The answers of a real chip: version and key versions.
    @Test func versionsOfARealChip() throws {
        let tag = ScriptedTag([
            ("90600000087EB6309891B11B2400", "0404083000110591AF"), ("90AF000000", "0404020102110591AF"),
            ("90AF000000", "04A9707A0B1090CF5D9045104621EB9482FFE8BB77619100"),
        ])
        var chip = NTAG424(over: tag, session: Self.hardwareSession(counter: 0)) { [] }
        #expect(try chip.version().dropFirst(14).prefix(7).elementsEqual(bytes("04A9707A0B1090")))
        let keys = ScriptedTag([
            ("9064000009003C1E2F00B5C1C19D00", "00148F7591612FD6889100"),
            ("906400000901FDED11F2EF1B6FAA00", "00B86EA49F47BA32B99100"),
        ])
        chip = NTAG424(over: keys, session: Self.hardwareSession(counter: 2)) { [] }
        #expect(try chip.keyVersion(0) == 0)
        #expect(try chip.keyVersion(1) == 0)
        #expect(keys.isFinished && tag.isFinished)
    }

    /// The answer of a real chip to GetFileCounters with the key of SDMCtrRet.
    @Test func theTapCounterOfARealChip() throws {
        let tag = ScriptedTag([
            ("90F600000902FE69E108B5FEF6B300", "AEB9CDD5ABC5E319009CC0754F771AD9723D70B3DF0BBE409100")
        ])
        var chip = NTAG424(over: tag, session: Self.hardwareSession(counter: 9)) { [] }
        let settings = DynamicSettings(
            hasUID: true, hasCounter: true, metaRead: .key(0), fileRead: .key(0), counterRetrieval: .key(0))
        #expect(try chip.tapCounter(settings) == 12)
    }

    /// The answer of a real chip to ReadData in CommMode.MAC.
    @Test func readDataOfARealChip() throws {
        let rndB = AES128Key.factory.deciphered(bytes("2FE216D6F86B1CBD8937C41D55073383"))
        let session = NTAG424Session(
            keyNumber: 3, key: .factory, rndA: bytes("24BF204C43B6941047265242A23724F8"), rndB: rndB,
            transaction: bytes("59237C63"), counter: 1)
        let tag = ScriptedTag([("90AD00000F03000000080000D92404817565D2A900", "DEADBEEF010203042F36F240E65DB6CF9100")])
        var chip = NTAG424(over: tag, session: session) { [] }
        var settings = NTAG424.File.proprietary.factorySettings
        settings.communication = .mac
        #expect(try chip.read(.proprietary, count: 8, settings) == bytes("DEADBEEF01020304"))
    }

    // MARK: Answers that must be rejected

    @Test func eachWrongBitOfAnAnswerIsNoticed() throws {
        let answer = bytes("70756055688505B52A5E26E59E329CD6595F672298EA41B7")
        for place in answer.indices {
            var changed = answer
            changed[place] ^= 0x10
            let hex = changed.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
            let tag = ScriptedTag([("90510000088E2C155ADDA99BE300", hex + "9100")])
            var chip = NTAG424(
                over: tag,
                session: try Self.session(
                    "DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764")
            ) { [] }
            #expect(throws: TagError.self) { try chip.cardUID() }
            #expect(chip.authenticatedKey == nil)
        }
    }

    @Test func aTagThatDoesNotKnowTheKeyIsNotBelieved() throws {
        let tag = ScriptedTag([
            ("9071000002000000", "A04C124213C186F22399D33AC2A3021591AF"),
            (
                "90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00",
                "4FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100"
            ),
        ])
        var chip = NTAG424(over: tag) {
            Self.rndA("35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D")
        }
        #expect(throws: TagError.self) { try chip.authenticate(0, .factory) }
        #expect(chip.authenticatedKey == nil)
    }

    @Test func aWrongKeyIsNamed() throws {
        let tag = ScriptedTag([
            ("9071000002030000", "91AD"), ("9071000002030000", "A04C124213C186F22399D33AC2A3021591AF"),
            ("90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00", "91AE"),
        ])
        var chip = NTAG424(over: tag) {
            Self.rndA("35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D")
        }
        #expect(throws: TagError.wrongKey(number: 3)) { try chip.authenticate(3, .factory) }
    }

    @Test(arguments: ["", "00", "9100", "A09100", "00 40 EEEE 000100 D1 FE00 1F0000 44 9100", "07 00 0000 9100"])
    func answersThatAreTooShortAreErrors(answer: String) {
        var chip = NTAG424(over: ScriptedTag([("90F50000010200", answer)])) { [] }
        #expect(throws: TagError.self) { try chip.fileSettings(.ndef) }
    }

    /// The check value of CRC-32/JAMCRC for "123456789".
    @Test func theChecksumIsThatOfTheStandard() {
        #expect(NTAG424.checksum(Array("123456789".utf8)) == bytes("D9C60B34"))
    }
}
