// The report for people — HTML Living Standard, checked by Python's html.parser

import Foundation
import Provisioning
import Testing

@Suite struct ReportHTMLTests {
    static let mixed = ReportRecord(
        file: "secret/folder/seats & more.csv",
        rows: (1...30).map { number in
            let state: RowState = [4: .failed, 9: .bound, 12: .written, 30: .pending][number] ?? .sealed
            let fields = [
                PlanField(name: "Password", value: "hunter2"), PlanField(name: "guest<b>", value: "<i>\"'&\0\u{202E}"),
                PlanField(name: "url", value: "https://example.com/?a=1&b=2"),
            ]
            return .made(
                number, state, fields: fields, reason: state == .failed ? "</td><script>no</script>" : nil,
                after: Double(number) * 3, signature: number == 5 ? "notGenuine" : "genuine", chip: "<chip>")
        },
        refused: (1...3).map {
            RefusedTag(
                uid: [4, $0], chip: "x", reader: "r", cause: $0 == 3 ? "<odd>" : "wrongChip",
                reason: "<p>It is an Ultralight.", isQuarantined: false, time: ReportRecord.begun)
        })

    /// Returns the objections of an independent parser, or an empty string if there are none.
    private static func objections(to page: String) throws -> String {
        let judge = """
            import sys
            from html.parser import HTMLParser
            class Judge(HTMLParser):
                void = {'meta', 'br'}
                open = []
                def handle_startendtag(self, tag, attrs): self.look(tag, attrs)
                def handle_starttag(self, tag, attrs):
                    self.look(tag, attrs)
                    if tag in self.void: print('void without slash', tag)
                    self.open.append(tag)
                def handle_endtag(self, tag):
                    if not self.open or self.open.pop() != tag: print('closes wrongly', tag, self.getpos())
                def look(self, tag, attrs):
                    if tag in ('script', 'link', 'img', 'iframe', 'a', 'object'): print('foreign', tag)
                    for name, value in attrs:
                        if name in ('href', 'src', 'srcset', 'action', 'xlink:href') or name.startswith('on'):
                            print('asks for', name, value)
                        if 'url(' in (value or ''): print('asks for', value)
                def handle_data(self, data):
                    if self.open and self.open[-1] == 'style' and ('url(' in data or '@import' in data or 'http' in data):
                        print('style asks for something')
            judge = Judge()
            judge.feed(sys.stdin.read())
            judge.close()
            if judge.open: print('never closed', judge.open)
            """
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", judge]
        let input = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString).html")
        try Data(page.utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let output = Pipe()
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? text : "status \(process.terminationStatus): \(text)"
    }

    @Test(arguments: [
        mixed, ReportRecord(), ReportRecord(rows: [.made(1, .pending)]),
        ReportRecord(rows: (1...20).map { .made($0, .proven, after: Double($0)) }),
    ])
    func thePageIsWellFormedAndAsksForNothing(record: ReportRecord) throws {
        #expect(try Self.objections(to: ProvisionReport(of: record).text(.html)) == "")
    }

    @Test func theJudgeObjectsToWhatIsWrong() throws {
        #expect(try Self.objections(to: "<p><b></p>").contains("closes wrongly"))
        #expect(try Self.objections(to: "<p src=\"x\"></p>").contains("asks for"))
    }

    @Test func nothingFromPlanOrTagActsOnThePage() throws {
        let page = try ProvisionReport(of: Self.mixed).text(.html)
        #expect(page.contains("<title>seats &amp; more.csv</title>") && !page.contains("secret/folder"))
        #expect(page.contains("&lt;i&gt;&quot;&#39;&amp;\u{2400}[U+202E]"))
        #expect(page.contains("&lt;/td&gt;&lt;script&gt;no&lt;/script&gt;") && page.contains("&lt;chip&gt;"))
        #expect(page.contains("&lt;odd&gt;") && page.contains("&lt;p&gt;It is an Ultralight."))
        #expect(!page.contains("hunter2") && !page.contains("<script"))
    }

    @Test func thePageTellsWhatBecameOfThePlan() throws {
        let page = try ProvisionReport(of: Self.mixed).text(.html)
        #expect(page.contains("26 of 30 rows are provisioned; 4 are left."))
        #expect(page.contains("<dt>Yield</dt><dd>81.2\u{202F}%</dd><dd class=\"note\">of 32 tags</dd>"))
        #expect(page.contains("<dt>Time per tag</dt><dd>0.84\u{202F}s</dd>"))
        // There are 25 waits in the 84 s from the first tag to the last.
        #expect(page.contains("<dt>Tags per minute</dt><dd>17.9</dd>"))
        #expect(page.contains("nfctool provision release 4<") && page.contains("nfctool provision release 9<"))
        #expect(page.contains("nfctool provision release 12<") && !page.contains("provision release 30<"))
        #expect(page.contains("<th scope=\"row\">Wrong chip</th><td class=\"n\">2</td>"))
        #expect(page.contains("Times of day in UTC+01:00, 21 November 2026."))
    }

    @Test(arguments: [false, true])
    func aTitleReplacesTheNameOfThePlan(isSummary: Bool) throws {
        let page = try ProvisionReport(of: Self.mixed, title: "Order <4711> & more", isSummary: isSummary).text(.html)
        #expect(page.contains("<title>Order &lt;4711&gt; &amp; more</title>"))
        #expect(page.contains("<h1>Order &lt;4711&gt; &amp; more</h1>") && !page.contains("<4711>"))
        // The full report still names the plan.
        #expect(page.contains("<dt>Plan</dt><dd>seats &amp; more.csv</dd>") == !isSummary)
        #expect(try Self.objections(to: page) == "")
    }

    @Test func theSummaryHasTheResultOfEachRowAndNoTechnicalDetails() throws {
        var record = Self.mixed
        record.hasStations = true
        let page = try ProvisionReport(of: record, isSummary: true).text(.html)
        #expect(page.contains("<h1>seats &amp; more.csv</h1>") && page.contains("<dd>21 November 2026</dd>"))
        #expect(page.contains("26 of 30 rows are provisioned; 4 are left."))
        let rows = page.components(separatedBy: "<th scope=\"row\">").dropFirst()
        #expect(rows.count == 30)
        for (number, result) in [(4, "failed"), (9, "not finished"), (12, "not finished"), (30, "no tag yet")] {
            #expect(rows.contains { $0.hasPrefix("\(number)<") && $0.contains("<td>\(result)</td>") }, "\(number)")
        }
        #expect(rows.first?.contains("<code>04A10001</code>") == true)
        for detail in ["pn532", "chip", "Station", "Rate", "SHA-256", "example.com", "hunter2", "provision release"] {
            #expect(!page.components(separatedBy: "</style>")[1].contains(detail), "\(detail)")
        }
        #expect(try Self.objections(to: page) == "")
        let labelled = ReportRecord(
            file: "a.csv", rows: [.made(1, .proven, fields: [PlanField(name: "id", value: "A&1")])], refused: [])
        let labels = try ProvisionReport(of: labelled, isSummary: true).text(.html)
        #expect(labels.contains("<th scope=\"row\">1 (A&amp;1)</th>"))
        // Other formats stay as they are.
        #expect(try ProvisionReport(of: record, isSummary: true).text(.csv) == ProvisionReport(of: record).text(.csv))
    }

    @Test(arguments: [
        (0, 0, "The plan has no rows."), (0, 1, "The row is not provisioned yet."),
        (0, 9, "None of the 9 rows is provisioned yet."), (1, 0, "The row is provisioned."),
        (20, 0, "All 20 rows are provisioned."), (1, 1, "1 of 2 rows is provisioned; 1 is left."),
        (297, 3, "297 of 300 rows are provisioned; 3 are left."),
    ])
    func theVerdictIsASentence(proven: Int, pending: Int, verdict: String) throws {
        let rows = (0..<proven + pending).map { JournalRow.made($0 + 1, $0 < proven ? .proven : .pending) }
        let page = try ProvisionReport(of: ReportRecord(rows: rows)).text(.html)
        #expect(page.contains("<p class=\"verdict\">\(verdict)</p>"))
        #expect(page.contains("Delivery certificate") == (proven > 0 && pending == 0))
    }

    @Test func aTagThatWasChangedAfterItWasVerifiedIsNamed() throws {
        let reason = "The tag was verified with row 2, but now holds another message."
        var record = ReportRecord(rows: [.made(1, .proven), .made(2, .proven, reason: reason)])
        let page = try ProvisionReport(of: record).text(.html)
        #expect(page.contains("All 2 rows are provisioned. <strong class=\"bad\">1 tag was changed"))
        #expect(page.contains("changed after verification: row 2.") && !page.contains("Delivery certificate"))
        #expect(!page.contains("class=\"tick\"") && page.contains("<dt>Refused tags</dt><dd>1</dd>"))
        #expect(page.contains("of 2 tags") && page.contains("nfctool provision reset 2<"))
        #expect(try Self.objections(to: page) == "")
        let lines = try ProvisionReport(of: record).text(.jsonLines)
        #expect(lines.contains(#""refusedTags":1"#) && lines.contains(#""event":"refused","row":2,"#), "\(lines)")
        // A tag that left before it was locked is not changed.
        record.recipe = ["--lock"]
        #expect(try ProvisionReport(of: record).text(.jsonLines).contains(#""refusedTags":0"#))
    }

    @Test func theColumnThatNamesTheRowsIsShownAndSecretTemplatesAreOnlyNamed() throws {
        let fields = ["box", "shelf", "a", "b", "c", "id"].map { PlanField(name: $0, value: "value of \($0)") }
        var record = ReportRecord(rows: [.made(1, .proven, fields: fields)])
        record.recipe = ["--text {a} {b} {c}", "--wifi ssid=x;password=geheim", "--lock"]
        let page = try ProvisionReport(of: record).text(.html)
        #expect(page.contains(#"<th scope="col">a</th><th scope="col">b</th><th scope="col">id</th>"#))
        #expect(page.contains("<dt>Written</dt><dd>text, wifi</dd>") && !page.contains("geheim"))
        record.recipe.append("--uri https://example.com/{id}")
        let both = try ProvisionReport(of: record).text(.html)
        #expect(both.contains("<dt>Written</dt><dd>https://example.com/{id}</dd>"))
        #expect(both.contains("<dt>Also written</dt><dd>text, wifi</dd>"))
    }

    @Test func tagsOfReleasedRowsAreNamed() throws {
        let refused = ["rowMoved", "wrongChip"].enumerated().map { index, cause in
            RefusedTag(
                uid: [4, 0xB1, UInt8(index)], chip: "<chip>", reader: "r", cause: cause,
                reason: "It carries <row> 2.", isQuarantined: false, time: ReportRecord.begun)
        }
        let record = ReportRecord(rows: [.made(1, .proven), .made(2, .pending)], refused: refused)
        let page = try ProvisionReport(of: record).text(.html)
        #expect(page.contains("<h2>Tags whose rows were released</h2>") && page.contains("<code>04B100</code>"))
        #expect(page.contains("It carries &lt;row&gt; 2.") && !page.contains("04B101"))
        #expect(page.contains("<th scope=\"col\">Time<br/>UTC+01:00</th>"))
        #expect(try Self.objections(to: page) == "")
        #expect(try !ProvisionReport(of: Self.mixed).text(.html).contains("rows were released"))
    }

    @Test func aVerifiedTagThatIsNotLockedYetNeedsAttention() throws {
        let reason = "The tag left. Locked so far: write access."
        let open = [JournalRow.made(2, .proven, reason: reason), .made(3, .proven)]
        var record = ReportRecord(rows: [.made(1, .sealed)] + open, recipe: ["--lock"])
        let page = try ProvisionReport(of: record).text(.html)
        let parts = page.components(separatedBy: "<h2>All rows</h2>")
        let care = try #require(parts.first?.components(separatedBy: "<h2>Rows that need attention</h2>").last)
        #expect(parts.count == 2 && care.contains(">2</th>") && care.contains(">3</th>") && !care.contains(">1</th>"))
        #expect(care.contains(reason) && care.contains("The tag is verified but not locked yet."))
        #expect(care.contains("Place this tag again to finish it automatically."))
        #expect(page.components(separatedBy: "</i>verified, not locked yet<").count == 5)
        #expect(page.contains("</i>verified, not locked or protected yet <b>2</b>"))
        #expect(!page.contains("</i>verified<") && !page.contains("</i>verified <"))
        #expect(try Self.objections(to: page) == "")
        for format in [ReportFormat.csv, .jsonLines] {
            let text = try ProvisionReport(of: record).text(format)
            #expect(text.contains(reason) && text.contains("The tag is verified but not locked yet."))
        }
        // Without a lock in the plan, nothing is missing.
        record = ReportRecord(rows: [.made(3, .proven)])
        #expect(try !ProvisionReport(of: record).text(.html).contains("need attention"))
    }

    @Test func statesAndCausesAreWords() throws {
        let cells = [("yes", "no"), ("no", "yes"), ("yes", "yes")].map {
            [PlanField(name: "lock", value: $0.0), PlanField(name: "protect", value: $0.1)]
        }
        let causes = ["confirmationNeeded", "rowMoved", "contentChanged", "badNDEF", "wrongReader"]
        let record = ReportRecord(
            rows: cells.enumerated().map { JournalRow.made($0 + 1, .sealed, fields: $1) }
                + [JournalRow.made(4, .proven)],
            refused: causes.enumerated().map {
                RefusedTag(
                    uid: [4, UInt8($0)], chip: "x", reader: "r", cause: $1, reason: "No.", isQuarantined: false,
                    time: ReportRecord.begun)
            })
        let page = try ProvisionReport(of: record).text(.html)
        let states = page.components(separatedBy: "<span class=\"state\">").dropFirst().map { part in
            part.split(separator: ">")[2].prefix { $0 != "<" }
        }
        #expect(states == ["locked", "protected", "locked, protected", "verified"])
        for word in causes + ["proven<", "sealed<", "proven ", "sealed "] {
            #expect(!page.contains(">\(word)"), "\(word)")
        }
        #expect(page.contains("</i>locked or protected <b>3</b>") && page.contains("</i>verified <b>1</b>"))
        // If all tags are locked and none is protected, the legend says so.
        let locked = ReportRecord(rows: [.made(1, .sealed, fields: cells[0])])
        #expect(try ProvisionReport(of: locked).text(.html).contains("</i>locked <b>1</b>"))
    }

    /// For some chips, it is not known whether a lock can be undone.
    @Test func lockedTagsAreNotCalledLockedPermanently() throws {
        let rows = [1, 2].map { JournalRow.made($0, .sealed, fields: [PlanField(name: "lock", value: "yes")]) }
        let page = try ProvisionReport(of: ReportRecord(rows: rows)).text(.html)
        #expect(page.contains(" All are locked."))
        #expect(!page.contains("permanently"))
    }

    @Test func steadyWorkHasItsRateAndAPauseDoesNotCount() throws {
        // One tag every 3 s is 20 per minute. There is an hour between the two halves.
        let rows = (0..<100).map { JournalRow.made($0 + 1, .proven, after: Double($0) * 3 + ($0 < 50 ? 0 : 3600)) }
        let page = try ProvisionReport(of: ReportRecord(rows: rows)).text(.html)
        #expect(page.contains("<dt>Tags per minute</dt><dd>20.0</dd>"))
        #expect(page.contains("<svg width=\"100%\""))
    }

    @Test func oneProvenTagMakesNoChart() throws {
        let page = try ProvisionReport(of: ReportRecord(rows: [.made(1, .proven), .made(2, .pending)])).text(.html)
        #expect(!page.contains("<h2>Rate</h2>") && page.contains("<dt>Tags per minute</dt><dd>–</dd>"))
    }

    @Test func aLongPlanIsCutAndRowsThatNeedSomebodyComeFirst() throws {
        let rows = (1...6000).map { JournalRow.made($0, $0 == 5999 ? .failed : .proven, after: Double($0)) }
        let page = try ProvisionReport(of: ReportRecord(rows: rows)).text(.html)
        let table = try #require(page.components(separatedBy: "<h2>All rows</h2>").last)
        #expect(
            table.contains(
                "Not shown: 1000 of 6000 rows; rows that need attention come first; a <code>.csv</code>"))
        let numbers = table.components(separatedBy: "<th scope=\"row\" class=\"n\">").dropFirst().map {
            $0.prefix { $0 != "<" }
        }
        #expect(numbers.count == 5000 && numbers.prefix(2) == ["5999", "1"] && numbers.last == "4999")
    }
}
