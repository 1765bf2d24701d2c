// The report for spreadsheets and scripts — RFC 4180; OWASP, CSV Injection

import Foundation
import Provisioning
import Testing

@Suite struct ReportCSVTests {
    static let header = "row,line,state,uid,chip,reader,messageLength,sha256,signature,seconds,changed,reason"

    @Test func eachRowOfThePlanIsALine() throws {
        let record = ReportRecord(
            rows: [
                .made(1, .sealed, fields: [PlanField(name: "id", value: "7")], after: 1.5),
                .made(2, .failed, fields: [PlanField(name: "id", value: "8")], reason: "It said no, twice."),
                .made(3, .pending, fields: [PlanField(name: "id", value: "")]),
            ],
            refused: [
                RefusedTag(
                    uid: [4], chip: "x", reader: "y", cause: "wrongChip", reason: "z", isQuarantined: false, time: .now)
            ])
        #expect(
            try ProvisionReport(of: record).text(.csv) == """
                \(Self.header),plan.id\r
                1,2,sealed,04A10001,NTAG215,pn532_uart:/dev/pts/3,26,5EED,genuine,0.842,2026-11-21T14:56:41.500Z,,7\r
                2,3,failed,04A10002,NTAG215,pn532_uart:/dev/pts/3,,,,,2026-11-21T14:56:40.000Z,"It said no, twice.",8\r
                3,4,pending,,,,,,,,,,\r

                """)
    }

    @Test(arguments: [
        ("plain", "plain"), ("=1+1", "'=1+1"), ("+49", "'+49"), ("-5", "'-5"), ("@SUM", "'@SUM"), ("'x", "''x"),
        ("\tx", "\"'\tx\""), ("\r", "\"'\r\""), ("\n=1", "\"'\n=1\""), ("＝1", "'＝1"), ("a=1", "a=1"), ("", ""),
        ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""), ("a\nb", "\"a\nb\""), ("a;=b", "\"a;=b\""),
        ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\u{9B}b\0", "a\\u{9B}b\\u{0}"),
        (" =1", "\" =1\""), ("=\"", "\"'=\"\"\""), ("\u{301}", "\u{301}"), ("é,", "\"é,\""),
    ])
    func aCellOfThePlanIsNoFormulaAndNothingIsLost(value: String, cell: String) throws {
        let record = ReportRecord(rows: [.made(1, .pending, fields: [PlanField(name: "c", value: value)])])
        let text = try ProvisionReport(of: record).text(.csv)
        #expect(Array(text.utf8) == Array("\(Self.header),plan.c\r\n1,2,pending,,,,,,,,,,\(cell)\r\n".utf8))
    }

    @Test(arguments: ["password", "Password", "PASSWORD", " password "])
    func aPasswordStandsInNoReport(name: String) throws {
        let record = ReportRecord(rows: [.made(1, .proven, fields: [PlanField(name: name, value: "hunter2")])])
        for format in ReportFormat.allCases {
            let text = try ProvisionReport(of: record).text(format)
            #expect(!text.contains("hunter2") && !text.contains("geheim"))
            #expect(format == .html || text.contains("•••"))
        }
    }

    @Test func rowsWithColumnsOfTheirOwnShareAHeader() throws {
        let record = ReportRecord(rows: [
            .made(1, .pending, fields: [PlanField(name: "a", value: "1")]),
            .made(2, .pending, fields: [PlanField(name: "b", value: "2"), PlanField(name: "a", value: "3")]),
        ])
        let lines = try ProvisionReport(of: record).text(.csv).components(separatedBy: "\r\n")
        #expect(lines[0].hasSuffix("reason,plan.a,plan.b"))
        #expect(lines[1].hasSuffix(",1,") && lines[2].hasSuffix(",3,2"))
    }

    @Test func moreColumnsThanASheetHoldsAreAnError() {
        let fields = (0...16_384).map { PlanField(name: "c\($0)", value: "") }
        let report = ProvisionReport(of: ReportRecord(rows: [.made(1, .pending, fields: fields)]))
        #expect(throws: ReportError.tooManyColumns(limit: 16_372)) { try report.text(.csv) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func timesThatAreNoTimesTrapNowhere(number: Double) throws {
        let record = ReportRecord(rows: [
            .made(1, .proven, after: number, took: number), .made(2, .proven, after: 1), .made(3, .proven, after: 9),
        ])
        for format in ReportFormat.allCases { #expect(try !ProvisionReport(of: record).text(format).isEmpty) }
    }
}
