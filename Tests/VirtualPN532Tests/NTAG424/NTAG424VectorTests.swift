// The virtual NTAG 424 DNA compared with NXP's examples — AN12196 rev. 2.0; AN12321

import Testing

@testable import VirtualPN532

/// Commands and answers as the application notes print them.
@Suite struct NTAG424VectorTests {
    private func expect(
        _ bench: inout NTAG424Bench, _ command: String, _ answer: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let actual = bench.send(command)
        #expect(hex(actual) == hex(octets(answer)), sourceLocation: location)
    }

    private func session(_ transaction: String, _ encryption: String, _ authentication: String) -> NTAG424Session {
        NTAG424Session(
            keyNumber: 0, transaction: octets(transaction), encryptionKey: octets(encryption),
            authenticationKey: octets(authentication), counter: 0)
    }

    /// Tables 14, 17 and 18: AuthenticateEV2First with key 0, WriteData in CommMode.Full, ChangeFileSettings.
    @Test func personalizationOfTheNDEFFile() {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        // WriteData is enciphered, so the file is in CommMode.Full and its key is the session's.
        (memory.files[1].communication, memory.files[1].accessRights) = (0x03, 0xE000)
        var bench = NTAG424Bench(
            memory, randoms: ["B9E2FC789B64BF237CCCAA20EC7E6E48", "9D00C4DF"], isSelected: false)
        expect(&bench, "00A4040C07D276000085010100", "9000")
        expect(&bench, "9071000002000000", "A04C124213C186F22399D33AC2A3021591AF")
        expect(
            &bench, "90AF00002035C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D00",
            "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F081206639100")
        #expect(bench.card.session?.encryption.key == octets("1309C877509E5A215007FF0ED19CA564"))
        #expect(bench.card.session?.authentication.key == octets("4C6626F5E72EA694202139295C7A7FC7"))
        expect(
            &bench,
            """
            908D00009F02000000800000421C73A27D827658AF481FDFF20A5025B559D0E3AA21E58D347F343CFFC768BF\
            E596C706BC00F2176781D4B0242642A0FF5A42C461AAF894D9A1284B8C76BCFA\
            658ACD40555D362E08DB15CF421B51283F9064BCBE20E96CAE545B407C9D651A\
            3315B27373772E5DA2367D2064AE054AF996C6F1F669170FA88CE8C4E3A4A7BB\
            BEF0FD971FF532C3A802AF745660F2B4D1D9A8499661EBF300
            """, "FC222E5F7A5424529100")
        let uri =
            "choose.url.com/ntag424?e=" + String(repeating: "0", count: 32) + "&c=" + String(repeating: "0", count: 16)
        #expect(bench.card.memory.files[1].content.starts(with: octets("0051D1014D5504") + Array(uri.utf8)))
        expect(
            &bench, "905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400", "57BFF87B1241E93D9100")
        #expect(
            bench.card.memory.files[1].settings == octets("00 40 00E0 000100 C1 F121 200000 430000 430000"))
    }

    /// Tables 19, 21, 23, 24, 25 and 26: WriteData with key 3, AuthenticateEV2NonFirst, WriteData in plain, ChangeKey.
    @Test func personalizationOfTheOtherFilesAndTheKeys() {
        var bench = NTAG424Bench(
            randoms: [
                "91517975190DCEA6104948EFA3085C1B", "7614281A", "6924E8D09722659A2E7DEC68E66312B8",
            ])
        expect(&bench, "9071000002030000", "B875CEB0E66A6C5CD00898DC371F92D191AF")
        expect(
            &bench, "90AF000020FF0306E47DFBC50087C4D8A78E88E62DE1E8BE457AA477C707E2F0874916A8B100",
            "0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A9100")
        #expect(bench.card.session?.encryption.key == octets("7A93D6571E4B180FCA6AC90C9A7488D4"))
        expect(
            &bench, "908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00",
            "C26D236E4A7C046D9100")
        #expect(bench.card.memory.files[2].content.starts(with: octets("0102030405060708090A00")))
        expect(&bench, "90770000010000", "A6A2B3C572D06C097BB8DB70463E22DC91AF")
        expect(
            &bench, "90AF000020BE7D45753F2CAB85F34BC60CE58B940763FE969658A532DF6D95EA2773F6E99100",
            "B888349C24B315EAB5B589E279C8263E9100")
        #expect(bench.card.session?.encryption.key == octets("4CF3CB41A22583A61E89B158D252FC53"))
        expect(&bench, "908D000019010E0000120000FF0506E1050080828300000000000000000000", "9100")
        #expect(Array(bench.card.memory.files[0].content[14..<23]) == octets("FF0506E10500808283"))
        expect(
            &bench,
            "90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600",
            "203BB55D1089D5879100")
        #expect(bench.card.memory.keys[2].cipher.key == octets("F3847D627727ED3BC9C4CC050489B966"))
        expect(
            &bench,
            "90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200", "9100")
        #expect(bench.card.memory.keys[0].cipher.key == octets("5004BF991F408672B1EF00F08F9E8647"))
        #expect(bench.card.memory.keys.map(\.version) == [1, 0, 1, 0, 0])
        #expect(bench.card.session == nil)
    }

    /// Table 7: GetFileSettings in CommMode.MAC.
    @Test func fileSettingsWithACode() throws {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        memory.files[1].accessRights = 0xEEEE
        memory.files[1].sdm = try NTAG424SDM(
            octets("D1 FE00 1F0000 440000 440000 200000 6A0000"), fileSize: 256, readCounter: 0)
        var bench = NTAG424Bench(memory)
        bench.card.session = session(
            "7A21085E", "00000000000000000000000000000000", "8248134A386E86EB7FAF54A52E536CB6")
        expect(
            &bench, "90F5000009026597A457C8CD442C00",
            "0040EEEE000100D1FE001F00004400004400002000006A00002A474282E7A479869100")
    }

    /// Table 28: GetCardUID.
    @Test func cardUID() {
        var bench = NTAG424Bench()
        bench.card.session = session(
            "DF055522", "2B4D963C014DC36F24F69A50A394F875", "379D32130CE61705DD5FD8C36B95D764")
        expect(
            &bench, "90510000088E2C155ADDA99BE300", "70756055688505B52A5E26E59E329CD6595F672298EA41B79100")
    }

    /// Table 27: SetConfiguration, a random UID.
    @Test func configurationOfARandomUID() {
        var bench = NTAG424Bench()
        bench.card.session = session(
            "D779B1D0", "7951A705F47F3C29B596454DC1490383", "FE4EDBF46536557E304682F33E63A84F")
        expect(
            &bench, "905C000019008EA0138A7AF6FC8E99DF2A3A305602C43A7A3C9228C3134A00", "86044208CAD1676A9100")
        #expect(bench.card.memory.configuration.hasRandomID)
    }

    /// AN12321, table 3: SetConfiguration, LRP mode.
    @Test func configurationOfLRPMode() {
        var bench = NTAG424Bench()
        bench.card.session = session(
            "ED56F6E6", "66A8CB93269DC9BC2885B7A91B9C697B", "7DE5F7E244A46D22E536804D07E8D70E")
        expect(&bench, "905C0000190541B2BA963075730426D0858D2AA6C4982F579E77FAB49F8300", "9100")
        #expect(bench.card.memory.configuration.usesLRP)
        #expect(bench.authenticate() == 0x9D)
    }

    /// Table 4: the MAC of no data, and PICCData.
    @Test func urlWithEncryptedDataAndMAC() throws {
        let memory = try NTAG424Memory.dynamic(
            uid: "04DE5F1EACC040",
            "ntag.nxp.com/424?e=" + String(repeating: "0", count: 32) + "&c=" + String(repeating: "0", count: 16),
            sdm: "C1 FF00 1A0000 3D0000 3D0000", readCounter: 60)
        var bench = NTAG424Bench(memory, randoms: ["DA5CF60941"])
        #expect(bench.text().hasSuffix("ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"))
        #expect(bench.card.memory.files[1].readCounter == 61)
    }

    /// Tables 3 and 5: enciphered file data, and the MAC over this data.
    @Test(arguments: [
        (
            0, "851ECB67D4",
            "picc_data=FDE4AFA99B5C820A2C1BB0F1C792D0EB&enc=94592FDE69FA06E8E3B6CA686A22842B&cmac=C48B89C17A233B2C"
        ),
        (7, "", "&enc=CEE9A53E3E463EF1F459635736738962&cmac=ECC1E7F6C6C73BF6"),
    ])
    func urlWithEncryptedFileData(counter: Int, padding: String, end: String) throws {
        let memory = try NTAG424Memory.dynamic(
            identifier: 0x02,
            "my424dna.com/?picc_data=" + String(repeating: "*", count: 32) + "&enc=" + String(repeating: "x", count: 32)
                + "&cmac=" + String(repeating: "*", count: 16),
            sdm: "D1 FE00 1F0000 440000 440000 200000 6A0000", readCounter: counter)
        var bench = NTAG424Bench(memory, randoms: [padding])
        #expect(bench.text().hasSuffix(end))
    }

    /// Plain mirrors: UID 041E3C8A2D6B80, counter 6, an empty MAC input (NXP's reference server, `tagpt`).
    @Test func urlWithPlainMirrors() throws {
        let memory = try NTAG424Memory.dynamic(
            uid: "041E3C8A2D6B80",
            "sdm.nfcdeveloper.com/tagpt?uid=00000000000000&ctr=000000&cmac=0000000000000000",
            sdm: "C1 FFE0 260000 390000 450000 450000", readCounter: 5)
        var bench = NTAG424Bench(memory)
        #expect(bench.text().hasSuffix("tagpt?uid=041E3C8A2D6B80&ctr=000006&cmac=4B00064004B0B3D3"))
    }
}

/// Answers of real chips — test data of the crate ntag424 0.1.0, docs.rs.
@Suite struct NTAG424HardwareTests {
    private func expect(
        _ bench: inout NTAG424Bench, _ command: String, _ answer: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let actual = bench.send(command)
        #expect(hex(actual) == hex(octets(answer)), sourceLocation: location)
    }

    /// Deciphers RndB from E(K0, RndB) with a key of zeros.
    private func rndB(_ challenge: String) -> String {
        let key = BlockCipher(algorithm: .aes, key: NTAG424Bench.zeroKey)
        var vector = key.zeroVector
        return hex(key.decryptCBC(octets(challenge), vector: &vector))
    }

    @Test func aSessionWithTwoKeys() throws {
        var memory = try NTAG424Memory.dynamic(
            uid: "04A9707A0B1090", "example.com/?p=" + String(repeating: "0", count: 32) + "&c=0000000000000000",
            sdm: "C1 F000 160000 390000 390000", readCounter: 12)
        memory.production = octets("CF5D9045104621")
        memory.signature = octets(
            """
            03F0A17889E3063D2D01CD8750734601BC031C26812705A1BD3B75361604B19B\
            762DC285DCE303A5B6DE5F2814F0449BA64AB445A7AEC4CF
            """)
        memory.files[2].store(octets("DEADBEEF01020304"), at: 0)
        var bench = NTAG424Bench(
            memory,
            randoms: [
                rndB("7858A0B9DBC468F0FF1B2F773D6DF9FC"), "085BC941", rndB("C8FC6F266D55CA43D3BBDE4CC8479AC2"),
            ])
        expect(&bench, "903C0000010000", hex(memory.signature) + "9190")
        #expect(bench.authenticate(0, rndA: octets("C4028B41E6F497099C7087768E78A191")) == 0x00)
        expect(&bench, "90600000087EB6309891B11B2400", "0404083000110591AF")
        expect(&bench, "90AF000000", "0404020102110591AF")
        expect(&bench, "90AF000000", "04A9707A0B1090CF5D9045104621EB9482FFE8BB77619100")
        expect(
            &bench, "903C0000090032E6A647B984427F00",
            """
            C2907EA2100DA5336DDDF17EE7AD70A240915DCD38E6319A663445D69E14825A\
            F42F6AC725487F163ECC696B504F90390DF67BC5D8C0DBFCE2158FFB5A2A427AE1E8BDA4D293F5289190
            """)
        for (command, answer) in [
            ("9064000009003C1E2F00B5C1C19D00", "00148F7591612FD688"),
            ("906400000901FDED11F2EF1B6FAA00", "00B86EA49F47BA32B9"),
            ("906400000902088D4D4ED349435000", "00076FCC0E2C1FDAC3"),
            ("9064000009031235FF1B57B7C8B100", "00167A4B7A3AF984C9"),
            ("90640000090493A9A0FD1274C6E500", "002D70A596A7B0465D"),
        ] { expect(&bench, command, answer + "9100") }
        #expect(bench.card.session?.counter == 7)
        bench.card.session?.counter = 9
        for (command, answer) in [
            ("90F600000902FE69E108B5FEF6B300", "AEB9CDD5ABC5E319009CC0754F771AD9723D70B3DF0BBE40"),
            ("90F600000902A2DCC158917BED2700", "F94D745DA23CAD20D0F93C583BAF6890F550E64513948403"),
            ("90F600000902B115DD7321CDC6F300", "6B865F92661A9913AB747C723CCE61F1F48443DC35E40083"),
            ("90F600000902AE7455ACE3AB8EED00", "DBE717243C7DFE23528C138250B0F473182196E519438B3B"),
            ("90F600000902A8E2C7D15D647D9C00", "9DB5CF3A537A80B26115EF9516208F740968AA238D787B33"),
        ] { expect(&bench, command, answer + "9100") }
        #expect(bench.authenticate(3, isFirst: false, rndA: octets("30288E8925277FAC5A6D6144341C238E")) == 0x00)
        expect(
            &bench, "90AD00000F03000000000000BBF64ADCF21BC5B900",
            """
            C294BFF08106E2E92B7CCEE58C68C4D069E4B11F2922619CD15D61FB4169BADC\
            9C0E7FFF3FFE4B3520B903157EED92FEFA517DC5E3EAAFDE94191DC9536DA8B5\
            DBAEB57AC127D94FD2504FB137C3275B3EACDEC378708A1FC607636AC29F88CC\
            6E25361BDD3F37733D0215888F91F8DC0C4298476469025C299B0E749A170B38\
            94A0176AE285EEEABE522C834BF41C3598EFC29F5E3ABF679100
            """)
        bench.card.session?.counter = 16
        expect(
            &bench, "90AD00000F030000000800008705F20A9AF5957800",
            "71DAFA7A0012584D37F8C9F3F656738FF345494D0F1148679100")
    }

    @Test func readDataWithACode() {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        memory.files[2].communication = 0x01
        memory.files[2].store(octets("DEADBEEF01020304"), at: 0)
        var bench = NTAG424Bench(memory, randoms: [rndB("2FE216D6F86B1CBD8937C41D55073383"), "59237C63"])
        #expect(bench.authenticate(3, rndA: octets("24BF204C43B6941047265242A23724F8")) == 0x00)
        bench.card.session?.counter = 1
        expect(&bench, "90AD00000F03000000080000D92404817565D2A900", "DEADBEEF010203042F36F240E65DB6CF9100")
    }

    /// NXP community, "NTag424 DNA ReadData[CommMode.Full] returns 7E": 255 bytes do not fit.
    @Test func readDataThatDoesNotFitIsALengthError() {
        var memory = NTAG424Memory(uid: NTAG424Bench.uid)
        (memory.files[1].communication, memory.files[1].accessRights) = (0x03, 0x0000)
        var bench = NTAG424Bench(memory)
        bench.card.session = NTAG424Session(
            keyNumber: 0, transaction: octets("391267AA"), encryptionKey: octets("2675CA630A2C87B4986AC116E66A0045"),
            authenticationKey: octets("B89AD52AB517855F8695018883DEF90F"), counter: 1)
        expect(&bench, "90AD00000F02000000FF0000CC7137F33032F9F200", "917E")
    }
}
