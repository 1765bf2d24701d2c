// Commands and status words of the NDEF tag application — NFC Forum Type 4 Tag, ISO/IEC 7816-4

import Testing
@testable import VirtualPN532

@Suite struct NDEFApplicationTests {
    private static let selectApplication = "00 A4 04 00 07 D2 76 00 00 85 01 01 00"
    private static let selectNDEF = "00 A4 00 0C 02 E1 04"

    private func application(
        _ change: (inout Type4Configuration) -> Void = { _ in },
        selecting commands: [String] = [selectApplication, selectNDEF]
    ) -> NDEFApplication {
        var configuration = Type4Configuration()
        change(&configuration)
        var application = NDEFApplication(configuration: configuration)
        for command in commands { #expect(application.execute(bytes(command)) == [0x90, 0x00]) }
        return application
    }

    @Test(arguments: [
        (Type4Configuration.MappingVersion.version2, 2048, "00 0F 20 00 FF 00 FF 04 06 E1 04 08 00 00 00"),
        (.version3, 73_728, "00 11 30 00 FF 00 FF 06 08 E1 04 00 01 20 00 00 00"),
    ])
    func capabilityContainerIsThatOfItsVersion(
        version: Type4Configuration.MappingVersion, size: Int, content: String
    ) {
        var configuration = Type4Configuration()
        (configuration.mappingVersion, configuration.fileSize) = (version, size)
        #expect(configuration.capabilityContainer == bytes(content))
    }

    /// The command and its answer, after SELECT of application and NDEF file.
    @Test(arguments: [
        ("00 A4 04 00 07 D2 76 00 00 85 01 01", "90 00"), ("00 A4 04 0C 07 D2 76 00 00 85 01 01 00", "90 00"),
        ("00 A4 04 00 07 D2 76 00 00 85 01 00 00", "6A 82"), ("00 A4 00 0C 02 E1 05", "6A 82"),
        ("00 A4 00 00 02 E1 03", "90 00"), ("00 A4 02 0C 02 E1 03", "90 00"), ("00 A4 03 0C 02 E1 03", "6A 86"),
        ("00 A4 00 04 02 E1 03", "6A 86"), ("00 A4 00 0C 01 E1", "67 00"), ("00 A4 00 0C", "67 00"),
        ("00 B0 00 00 02", "00 00 90 00"), ("00 B0 07 FF 01", "00 90 00"), ("00 B0 08 00 01", "6B 00"),
        ("00 B0 7F FF 01", "6B 00"), ("00 B0 07 FE 04", "00 00 62 82"), ("00 B0 07 FE 00", "00 00 90 00"),
        ("00 B0 81 00 02", "6A 82"), ("00 B0 00 00", "67 00"), ("00 B0 00 00 01 AA 02", "67 00"),
        ("00 B0 00 00 00 01 00", "67 00"), ("00 B0 00 00 00 00 02", "00 00 90 00"),
        ("00 D6 00 00 02 00 05", "90 00"), ("00 D6 07 FE 02 01 02", "90 00"), ("00 D6 07 FE 03 01 02 03", "6A 84"),
        ("00 D6 08 00 01 01", "6B 00"), ("00 D6 00 00", "67 00"), ("00 D6 00 00 02 00", "67 00"),
        ("00 D6 00 00 01 00 00", "67 00"), ("00 D6 00 00 00 00 02 00 05", "90 00"),
        ("00 B1 00 00 05 54 03 00 00 00 02", "6D 00"), ("00 D7 00 00 08 54 03 00 00 00 53 01 AA", "6D 00"),
        ("00 CA 00 00 00", "6D 00"), ("90 60 00 00 00", "6E 00"), ("00 B0 00", "67 00"), ("", "67 00"),
    ])
    func statusWords(command: String, answer: String) {
        var application = application()
        #expect(String(flipperBytes: application.execute(bytes(command))) == answer)
    }

    @Test func filesNeedTheApplicationAndCommandsAFile() {
        var unselected = NDEFApplication(configuration: Type4Configuration())
        #expect(unselected.execute(bytes(Self.selectNDEF)) == [0x6A, 0x82])
        var application = application(selecting: [Self.selectApplication])
        #expect(application.execute(bytes("00 B0 00 00 02")) == [0x69, 0x86])
        #expect(application.execute(bytes("00 D6 00 00 01 00")) == [0x69, 0x86])
    }

    @Test func capabilityContainerIsNotWritable() {
        var application = application(selecting: [Self.selectApplication, "00 A4 00 0C 02 E1 03"])
        #expect(application.execute(bytes("00 D6 00 0E 01 FF")) == [0x69, 0x82])
    }

    @Test func accessConditionsRefuse() {
        var readOnly = application { $0.writeAccess = 0xFF }
        #expect(readOnly.execute(bytes("00 D6 00 00 02 00 00")) == [0x69, 0x82])
        #expect(readOnly.execute(bytes("00 B0 00 00 02")) == [0x00, 0x00, 0x90, 0x00])
        var secret = application { $0.readAccess = 0x80 }
        #expect(secret.execute(bytes("00 B0 00 00 02")) == [0x69, 0x82])
    }

    @Test func mleAndMlcAreEnforced() {
        var application = application { ($0.mle, $0.mlc) = (15, 13) }
        #expect(application.execute(bytes("00 B0 00 00 0F")).count == 17)
        #expect(application.execute(bytes("00 B0 00 00 10")) == [0x67, 0x00])
        #expect(application.execute(bytes("00 B0 00 00 00")).count == 17)
        let data = " 00 00 00 00 00 00 00 00 00 00 00 00 00"
        #expect(application.execute(bytes("00 D6 00 00 0D" + data)) == [0x90, 0x00])
        #expect(application.execute(bytes("00 D6 00 00 0E" + data + " 00")) == [0x67, 0x00])
    }

    private func version3(_ change: (inout Type4Configuration) -> Void = { _ in }) -> NDEFApplication {
        application { configuration in
            (configuration.mappingVersion, configuration.fileSize) = (.version3, 73_728)
            change(&configuration)
        }
    }

    @Test func offsetDataObjectsReachBeyond7FFF() {
        var application = version3()
        #expect(application.execute(bytes("00 D7 00 00 0A 54 03 00 80 00 53 03 AA BB CC")) == [0x90, 0x00])
        #expect(application.ndefFile[0x8000..<0x8003] == [0xAA, 0xBB, 0xCC])
        #expect(application.execute(bytes("00 B1 00 00 05 54 03 00 80 00 05")) == bytes("53 03 AA BB CC 90 00"))
        #expect(application.execute(bytes("00 D7 00 00 0A 54 03 01 1F FE 53 03 AA BB CC")) == [0x6A, 0x84])
        #expect(application.execute(bytes("00 B1 00 00 05 54 03 01 20 00 05")) == [0x6B, 0x00])
    }

    @Test func plainOddReadGivesTheBytesAlone() {
        var application = version3 { $0.oddReadAnswer = .plain }
        #expect(application.execute(bytes("00 B1 00 00 05 54 03 00 80 00 03")) == bytes("00 00 00 90 00"))
    }

    @Test(arguments: [
        (3, "53 01", 1), (129, "53 7F", 127), (130, "53 7F", 127), (131, "53 81 80", 128), (255, "53 81 FC", 252),
    ])
    func dataObjectCountsAgainstLe(le: UInt8, head: String, count: Int) {
        var application = version3()
        let answer = application.execute(bytes("00 B1 00 00 05 54 03 00 00 00") + [le])
        #expect(answer.starts(with: bytes(head)))
        #expect(answer.count == bytes(head).count + count + 2)
    }

    @Test(arguments: [
        "00 B1 00 00 02 54 00 05", "00 B1 00 00 03 54 03 00 05", "00 B1 00 00 05 53 03 00 00 00 05",
        "00 B1 00 00 07 54 05 00 00 00 00 00 05", "00 B1 00 00 06 54 03 00 00 00 00 05",
        "00 D7 00 00 05 54 03 00 00 00", "00 D7 00 00 08 54 03 00 00 00 53 02 AA",
        "00 D7 00 00 07 54 03 00 00 00 53 81",
        "00 D7 00 00 08 54 03 00 00 00 53 84 00",
    ])
    func malformedDataObjectsAreRefused(command: String) {
        var application = version3()
        #expect(application.execute(bytes(command)) == [0x6A, 0x80])
    }
}
