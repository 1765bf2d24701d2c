// The file for an issue: what a report contains, and what it must not contain

import Doctor
import DoctorSituations
import Foundation
import Testing
import USBReaders

@Suite struct BugReportTests {
    private static let home = "/home/alice"
    private static let host = "alices-laptop"
    private static let uid = "04 a1 b2 c3 d4 e5 80"

    /// A reader with a serial number, a holder with a name, and a log with a tag in it, as libnfc 1.8 and nfctool print
    /// them.
    private static let survey = ReaderSurvey(
        readers: [
            Part.plugged(
                Part.reader(serial: Part.secretSerial), holders: NodeHolders(visible: [Part.holder("python3", 4711)]))
        ], system: Part.system())
    private static let log = """
        debug\tlibnfc.driver.acr122_usb\tTX: 6f 05 00 00 00 00 00 00 00 00 ff 00 51 00 00
        debug\tlibnfc.bus.uart\tTX: 00 00 ff 02 fe d4 02 2a 00
        debug\tlibnfc.chip.pn53x\tInListPassiveTarget
        debug\tlibnfc.bus.uart\tRX: 00 00 ff 0f f1
        debug\tlibnfc.bus.uart\tRX: d5 4b
        debug\tlibnfc.bus.uart\tRX: 01 01 00 44 00 07 \(uid)
        debug\tlibnfc.bus.uart\tRX: 40 00
        debug\tlibnfc.bus.uart\tTX: 00 00 ff 03 fd d4 52 00 da 00
        debug\tlibnfc.driver.acr122_usb\tRX: 80 15 00 00 d5 4b  01 01 00 44 00 07  \(uid.replacing(" ", with: "  "))  90 00
        debug\tlibnfc.bus.uart\tTX: D4 42 93 70 88 \(uid.uppercased())
        2026-11-21 trace nfctool.reader: tag with UID \(uid.replacing(" ", with: "").uppercased())
        trace: \(home)/.config of alice on \(host), serial \(Part.secretSerial)
        """

    private static func report(log: String = log) -> String {
        report(
            Diagnosis(survey), versions: [("nfctool", "nfctool 0.1.0"), ("libnfc", "1.8.0")],
            logs: [(Part.acr122, log)])
    }

    private static func report(
        _ diagnosis: Diagnosis, versions: [BugReport.Version] = [], logs: [BugReport.Log] = []
    ) -> String {
        BugReport(
            versions: versions, diagnosis: diagnosis, sections: [("Checks", words(of: diagnosis))], logs: logs,
            mask: Mask(diagnosis.survey, host: host, home: home)
        ).text
    }

    private static func words(of diagnosis: Diagnosis) -> String {
        let shell = DiagnosisTests.shell
        return diagnosis.examinations.flatMap { examination in
            let remedy = examination.remedy
            return [examination.reader, examination.statement, remedy?.cause, remedy?.note?.text(shell)].compactMap(
                \.self)
                + ((remedy?.steps ?? []) + (remedy?.undo ?? [])).map(shell.text)
        }.joined(separator: "\n")
    }

    @Test func nothingOfATagAPersonOrADeviceIsInIt() {
        let text = Self.report()
        let bare = text.replacing(" ", with: "").lowercased()
        #expect(!bare.contains(Self.uid.replacing(" ", with: "")))
        #expect(!bare.contains("a1b2c3"))
        #expect(!text.contains(Part.secretSerial))
        #expect(!text.contains("alice"))
        #expect(!text.contains(Self.host))
        #expect(text.contains("USER") && text.contains("HOME") && text.contains("HOST") && text.contains("SERIAL"))
    }

    @Test func whatHelpsToFindTheBugIsInIt() {
        let text = Self.report()
        for fact in [
            "072f:2200", "ACS ACR122U", "1.8.0", "TX: 00 00 ff 02 fe d4 02 2a 00", "TX: 00 00 ff 03 fd d4 52 00 da 00",
            "python3", "blacklist-libnfc.conf",
        ] {
            #expect(text.contains(fact), "\(fact)")
        }
    }

    /// A port that libnfc's settings name, and a process that this user cannot inspect.
    @Test func namesOfPortsAndOfOthersAreMasked() {
        let path = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
        let other = NodeHolder(process: 9, name: "mfoc", user: 1001, userName: "mallory")
        let survey = ReaderSurvey(
            readers: [Part.plugged(Part.reader(driver: "usbfs"), holders: NodeHolders(hidden: 90, suspects: [other]))],
            system: Part.system(
                settings: LibNFCConfiguration(devices: [
                    .init(connection: "pn532_uart:\(path)", source: "LIBNFC_DEVICE")
                ])))
        let text = Self.report(Diagnosis(survey))
        #expect(!text.contains("A50285BI") && text.contains("pn532_uart:/dev/serial/by-id/SERIAL"))
        #expect(!text.contains("mallory") && text.contains("mfoc"))
    }

    @Test func everySituationIsMasked() {
        for situation in Situation.all {
            let text = Self.report(situation.diagnosis)
            #expect(!text.contains(Part.user), "\(situation.name)")
        }
    }

    @Test func aLogCannotEndItsBlockNorActOnATerminal() {
        let text = Self.report(log: "~~~~~~\n# a heading\u{1B}[31m")
        #expect(text.contains("\n ~~~~~~\n# a heading\\u{1B}[31m\n~~~~~~\n"))
    }
}
