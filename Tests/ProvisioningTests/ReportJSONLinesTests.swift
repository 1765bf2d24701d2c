// The report for programs — JSON Lines; Docs/JSON.md, Reports in `.jsonl`

import Foundation
import Provisioning
import Testing

@Suite struct ReportJSONLinesTests {
    @Test func thePlanComesFirstThenRowsThenRefusedTags() throws {
        let record = ReportRecord(
            rows: [
                .made(1, .proven, fields: [PlanField(name: "b", value: "7"), PlanField(name: "a", value: "x\ty")]),
                .made(2, .failed, reason: "It said \"no\"."), .made(3, .pending),
            ],
            refused: [
                RefusedTag(
                    uid: [0x04, 0xFF], chip: "Ultralight", reader: "r", cause: "wrongChip", reason: "No NTAG215.",
                    isQuarantined: true, time: ReportRecord.begun)
            ])
        #expect(
            try ProvisionReport(of: record).text(.jsonLines) == #"""
                {"schema":1,"event":"plan","file":"plans/seats.csv","sha256":"AB12","begun":"2026-11-21T14:56:40.000Z","reported":"2026-11-21T15:56:40.000Z","rows":3,"provisioned":1,"verified":1,"locked":0,"protected":0,"pending":1,"bound":0,"written":0,"proven":1,"sealed":0,"failed":1,"refusedTags":1}
                {"schema":1,"event":"row","row":1,"line":2,"state":"proven","uid":"04A10001","chip":"NTAG215","reader":"pn532_uart:/dev/pts/3","bound":"2026-11-21T14:56:40.000Z","messageLength":26,"sha256":"5EED","signature":"genuine","seconds":0.842,"locked":false,"protected":false,"changed":"2026-11-21T14:56:40.000Z","plan":{"b":"7","a":"x\ty"}}
                {"schema":1,"event":"row","row":2,"line":3,"state":"failed","uid":"04A10002","chip":"NTAG215","reader":"pn532_uart:/dev/pts/3","bound":"2026-11-21T14:56:40.000Z","changed":"2026-11-21T14:56:40.000Z","reason":"It said \"no\".","plan":{}}
                {"schema":1,"event":"row","row":3,"line":4,"state":"pending","plan":{}}
                {"schema":1,"event":"refused","uid":"04FF","chip":"Ultralight","reader":"r","cause":"wrongChip","reason":"No NTAG215.","quarantined":true,"time":"2026-11-21T14:56:40.000Z"}

                """#)
    }

    @Test("A report of a shared plan names the station of a refused tag") func stations() throws {
        let refused = RefusedTag(
            uid: [0x04, 0xFF], chip: "Ultralight", reader: "usb:1-2", cause: "wrongChip", reason: "No NTAG215.",
            isQuarantined: false, time: ReportRecord.begun, station: "desk-2")
        let lines = try ProvisionReport(of: ReportRecord(rows: [], refused: [refused])).text(.jsonLines)
        #expect(lines.contains(#""reader":"usb:1-2","station":"desk-2","cause":"wrongChip""#), "\(lines)")
    }

    @Test(arguments: [
        "\0\u{1}\u{1F}\u{7F}\u{9B}31m", "\u{202E}abc", "\u{2028}\u{2029}", "\"\\\r\n\t/", "é漢👩‍🔧", "\u{E0001}x",
    ])
    func anyTextComesBackAndNothingActsOnATerminal(value: String) throws {
        let record = ReportRecord(rows: [.made(1, .pending, fields: [PlanField(name: value, value: value)])])
        let line = try #require(try ProvisionReport(of: record).text(.jsonLines).split(separator: "\n").last)
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect((object?["plan"] as? [String: String]) == [value: value])
        let acting = line.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        #expect(acting.isEmpty)
    }
}
