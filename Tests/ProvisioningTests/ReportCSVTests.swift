// The report for spreadsheets and scripts — RFC 4180; OWASP, CSV Injection

import Foundation
import Provisioning
import Testing

@Suite struct ReportCSVTests {
    static let header =
        "row,line,state,uid,chip,reader,messageLength,sha256,signature,seconds,changed,reason,locked,protected,begun"

    static let begun = "2026-11-21T14:56:40.000Z"

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
                1,2,sealed,04A10001,NTAG215,pn532_uart:/dev/pts/3,26,5EED,genuine,0.842,2026-11-21T14:56:41.500Z,,,,\(Self.begun),7\r
                2,3,failed,04A10002,NTAG215,pn532_uart:/dev/pts/3,,,,,2026-11-21T14:56:40.000Z,"It said no, twice.",,,\(Self.begun),8\r
                3,4,pending,,,,,,,,,,,,\(Self.begun),\r

                """)
    }

    @Test func theTableForSpreadsheetsHasTabsAndAByteOrderMark() throws {
        let cell = "Müller, \"A\"\tB"
        let record = ReportRecord(rows: [
            .made(1, .pending, fields: [PlanField(name: "c", value: cell)]),
            .made(2, .failed, fields: [PlanField(name: "c", value: "x")], reason: "No, twice."),
        ])
        let header = Self.header.replacing(",", with: "\t")
        let failed = "2\t3\tfailed\t04A10002\tNTAG215\tpn532_uart:/dev/pts/3\t\t\t\t\t\(Self.begun)\t\"No, twice.\"\t\t"
        let text = try ProvisionReport(of: record).text(.tsv)
        #expect(
            Array(text.utf8)
                == Array(
                    """
                    \u{FEFF}\(header)\tplan.c\r
                    1\t2\tpending\(String(repeating: "\t", count: 12))\(Self.begun)\t"Müller, ""A""\tB"\r
                    \(failed)\t\(Self.begun)\tx\r

                    """.utf8))
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
        let line = "1,2,pending,,,,,,,,,,,,\(Self.begun),\(cell)"
        #expect(Array(text.utf8) == Array("\(Self.header),plan.c\r\n\(line)\r\n".utf8))
    }

    @Test func eachRowSaysHowItsTagWasClosed() throws {
        func row(_ number: Int, _ state: RowState, _ lock: String, _ protect: String) -> JournalRow {
            let cells = [("lock", lock), ("protect", protect)].map { PlanField(name: $0.0, value: $0.1) }
            return .made(number, state, fields: cells)
        }
        var record = ReportRecord(rows: [
            row(1, .sealed, "", ""), row(2, .sealed, "no", "yes"), row(3, .sealed, "yes", "yes"),
            row(4, .proven, "no", "no"), row(5, .proven, "", ""), row(6, .failed, "", ""),
        ])
        record.recipe = ["--lock"]
        let lines = try ProvisionReport(of: record).text(.csv).components(separatedBy: "\r\n")
        let names = lines[0].components(separatedBy: ",")
        let places = try ["locked", "protected"].map { try #require(names.firstIndex(of: $0)) }
        let cells = lines[1...6].map { line in places.map { line.components(separatedBy: ",")[$0] } }
        #expect(
            cells == [
                ["true", "false"], ["false", "true"], ["true", "true"], ["false", "false"],
                // It is not known whether the tag was locked before it left.
                ["", ""], ["", ""],
            ])
        let page = try ProvisionReport(of: record).text(.html)
        #expect(page.contains(" 2 are locked. 2 are protected by a password."))
        #expect(page.contains("5 verified, 2 locked, 2 protected</dd>"))
        let counts = try ProvisionCounts(of: record)
        #expect(counts.text.contains("4 provisioned (5 verified, 2 locked, 2 protected)"), "\(counts.text)")
    }

    @Test func aRowWithoutAPasswordHasAnEmptyCell() throws {
        let rows = ["hunter2", ""].enumerated().map { index, password in
            JournalRow.made(index + 1, .proven, fields: [PlanField(name: "password", value: password)])
        }
        let record = ReportRecord(rows: rows)
        let lines = try ProvisionReport(of: record).text(.csv).components(separatedBy: "\r\n")
        #expect(lines[1].hasSuffix(",•••") && lines[2].hasSuffix("Z,"))
        // The page has no column for passwords, whichever row comes first.
        let turned = ReportRecord(rows: rows.reversed())
        for record in [record, turned] {
            #expect(try !ProvisionReport(of: record).text(.html).contains(">password<"))
        }
        // A command does not get the password either.
        let open = OpenCells(of: record.plan)
        #expect(rows.map { open.fields(of: $0.row) } == [[], []])
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
        #expect(lines[0].hasSuffix("begun,plan.a,plan.b"))
        #expect(lines[1].hasSuffix(",1,") && lines[2].hasSuffix(",3,2"))
    }

    /// Readers have the same names at all stations.
    @Test(arguments: [false, true]) func aSharedPlanNamesTheStationOfEachRow(showsSecrets: Bool) throws {
        var record = ReportRecord(rows: [
            .made(1, .proven, fields: [PlanField(name: "id", value: "7")], station: "=desk <1>"),
            .made(2, .failed, fields: [PlanField(name: "id", value: "8")], station: "desk-2"),
            .made(3, .pending, fields: [PlanField(name: "id", value: "9")]),
        ])
        record.hasStations = true
        let report = ProvisionReport(of: record, showsSecrets: showsSecrets)
        let lines = try report.text(.csv).components(separatedBy: "\r\n")
        #expect(lines[0] == "\(Self.header),station,plan.id")
        #expect(lines[1].hasSuffix(",\(Self.begun),'=desk <1>,7") && lines[2].hasSuffix(",\(Self.begun),desk-2,8"))
        #expect(lines[3].hasSuffix(",\(Self.begun),,9"))
        let objects = try report.text(.jsonLines).split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(objects.dropFirst().map { $0?["station"] as? String } == ["=desk <1>", "desk-2", nil])
        let page = try report.text(.html)
        #expect(page.components(separatedBy: "<th scope=\"col\">Station</th>").count == 3)
        #expect(page.contains("<td class=\"station\">=desk &lt;1&gt;</td>"))
        // The row that failed is in both tables.
        #expect(page.components(separatedBy: "<td class=\"station\">desk-2</td>").count == 3)
        record.hasStations = false
        #expect(try !ProvisionReport(of: record).text(.html).contains("Station</th>"))
    }

    @Test func moreColumnsThanASheetHoldsAreAnError() {
        let fields = (0...16_384).map { PlanField(name: "c\($0)", value: "") }
        let report = ProvisionReport(of: ReportRecord(rows: [.made(1, .pending, fields: fields)]))
        #expect(throws: ReportError.tooManyColumns(limit: 16_369)) { try report.text(.csv) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func timesThatAreNoTimesTrapNowhere(number: Double) throws {
        let record = ReportRecord(rows: [
            .made(1, .proven, after: number, took: number), .made(2, .proven, after: 1), .made(3, .proven, after: 9),
        ])
        for format in ReportFormat.allCases { #expect(try !ProvisionReport(of: record).text(format).isEmpty) }
    }
}
