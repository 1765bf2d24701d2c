// Complete plans on a disk, checked in one pass

import Composing
import DurableFiles
import Foundation
import PhoneLint
import Testing

@testable import Provisioning

@Suite struct PlanCheckTests {
    private static func withFile(_ name: String, _ text: String, _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PlanCheckTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try body(file.path)
    }

    private static func check(_ plan: PlanFile, _ recipe: RowRecipe) throws -> PlanCheck {
        var check = PlanCheck(recipe: recipe)
        while let entry = try plan.next() { _ = check.add(entry) }
        return check
    }

    private static func recipe(_ template: String, require: String? = nil) throws -> RowRecipe {
        try RowRecipe(
            options: [RecordOption(name: .text, value: template)],
            settings: RowSettings(require: require.flatMap(RequiredChip.init(named:))))
    }

    @Test func everyBadRowIsListedWithItsLine() throws {
        let text =
            "t,require\n\(String(repeating: "x", count: 130)),\n1\n\(String(repeating: "x", count: 131)),\nok,ntag1\n"
        try Self.withFile("plan.csv", text) { path in
            let check = try Self.check(PlanFile(path: path), Self.recipe("{t}", require: "ntag213"))
            #expect(check.goodRowCount == 1)
            #expect(check.messageLengths == 137...137)
            #expect(check.badRowCount == 3)
            #expect(check.badRows.map(\.line) == [3, 4, 5])
            #expect(check.badRows[1].reason == .tooLarge(needed: 138, capacity: 137, chip: "NTAG213"))
            #expect(check.fits.filter(\.fits).first?.tag.chip == "NTAG213")
            // 137 bytes, with T, L and the Terminator TLV on 35 pages.
            #expect(check.exchanges == ExchangeEstimate(messageLength: 137))
            #expect(check.exchanges.writes == 37)
            // A lock tries to write each of the 25 groups of blocks of an NTAG213 three times.
            let lock = ExchangeEstimate(messageLength: 137, locks: true)
            #expect(lock.writes == 42 && lock.refusedWrites == 75 && check.exchanges.refusedWrites == 0)
        }
    }

    @Test func aThousandBadRowsAreKeptAndTheOthersCounted() throws {
        try Self.withFile("plan.csv", "t,u\n" + String(repeating: "1\n", count: 1500) + "1,2\n") { path in
            let check = try Self.check(PlanFile(path: path), Self.recipe("{t}"))
            #expect(check.badRows.count == 1000)
            #expect(check.badRowCount == 1500)
            #expect(check.goodRowCount == 1)
        }
    }

    @Test(arguments: ["plan.csv", "plan.CSV", "plan.jsonl", "plan.ndjson", "plan.json"])
    func theDigestIsThatOfTheWholeFile(_ name: String) throws {
        let isCSV = name.lowercased().hasSuffix("csv")
        let text = isCSV ? "\u{FEFF}t\r\nx\r\n\r\n" : "{\"t\":\"x\"}\n\n"
        try Self.withFile(name, text) { path in
            let plan = try PlanFile(path: path)
            #expect(try plan.columns() == (isCSV ? ["t"] : nil))
            #expect(try Self.check(plan, Self.recipe("{t}")).goodRowCount == 1)
            #expect(try plan.digest() == SHA256Digest(of: Array(text.utf8)))
            #expect(try PlanFile(path: path).digest() == plan.digest())
        }
    }

    static let refusals: [(name: String, text: String, reason: PlanError.Reason)] = [
        ("plan.csv", "", .empty), ("plan.csv", "a,b\n\n", .noRows), ("plan.jsonl", " \n\n", .empty),
    ]

    @Test(arguments: refusals)
    func aPlanWithoutRowsIsRefused(_ name: String, _ text: String, _ reason: PlanError.Reason) throws {
        try Self.withFile(name, text) { path in
            #expect(throws: PlanError(reason)) { try PlanFile(path: path).next() }
        }
    }

    static func columns(_ text: String, permitsFaults: Bool = false) throws -> (PlanCheck, DuplicateRows) {
        var check = PlanCheck(
            recipe: try RowRecipe(options: [], settings: RowSettings()), permitsFaults: permitsFaults)
        var duplicates = DuplicateRows()
        try withFile("plan.csv", text) { path in
            let plan = try PlanFile(path: path)
            while let entry = try plan.next() { check.add(entry).map { duplicates.add($0) } }
        }
        return (check, duplicates)
    }

    static func templated(_ text: String, _ name: RecordOption.Name, _ value: String) throws -> PlanCheck {
        let recipe = try RowRecipe(options: [RecordOption(name: name, value: value)], settings: RowSettings())
        var found = PlanCheck(recipe: recipe)
        try withFile("plan.csv", text) { path in found = try check(PlanFile(path: path), recipe) }
        return found
    }

    @Test func aCellThatATemplateNamesIsNotEmpty() throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://e.com/{id}")], settings: RowSettings())
        try Self.withFile("plan.csv", "id,name\n1,Bob\n,\n2,\n,Al\n") { path in
            let check = try Self.check(PlanFile(path: path), recipe)
            #expect(check.goodRowCount == 2)
            #expect(
                check.badRows.map(\.description) == [
                    "Line 3: Every cell of the row is empty. Remove the line.",
                    "Line 5, column id: The cell is empty, and --uri uses it. Fill it in, or remove the line.",
                ])
        }
    }

    @Test func aRowWithoutAnyValueIsBadWhateverIsWritten() throws {
        let recipe = try RowRecipe(options: [RecordOption(name: .text, value: "{n}")], settings: RowSettings())
        try Self.withFile("plan.csv", "id,name\n1,Bob\n,\n2,Al\n") { path in
            let check = try Self.check(PlanFile(path: path), recipe)
            #expect(check.badRows == [PlanError(line: 3, .emptyRow)])
        }
    }

    @Test func rowsWithoutAnyValueAtTheEndAreSkipped() throws {
        try Self.withFile("plan.csv", "id;name\n1;Bob\n;\n;;\n2;Al\n;\n;;;\n\n;\n") { path in
            let file = try PlanFile(path: path)
            var rows: [PlanRow] = []
            while let entry = try file.next() { if case .row(let row) = entry { rows.append(row) } }
            #expect(rows.map(\.number) == [1, 2, 3, 4] && rows.map(\.line) == [2, 3, 4, 5])
            #expect(rows.map { $0.fields.map(\.value) } == [["1", "Bob"], ["", ""], ["", ""], ["2", "Al"]])
            #expect(file.notes == [.emptyRowsAtEnd(3)])
        }
    }

    @Test func aMessageThatPhonesCannotUseMakesABadRowUnlessPermitted() throws {
        let text = "uri,lock\nhttps://example.com,\nexample.com,yes\nexample.org,\n"
        let (check, _) = try Self.columns(text)
        #expect(
            check.badRows.map(\.description) == [
                "Line 3: This URI has no scheme; did you mean https://example.com?",
                "Line 4: This URI has no scheme; did you mean https://example.org?",
            ])
        let (permitted, _) = try Self.columns(text, permitsFaults: true)
        #expect(permitted.badRowCount == 0 && permitted.lockedRowCount == 1)
        #expect(
            permitted.warnings.map(\.text) == [
                "Rows 2 and 3 (lines 3 and 4): This URI has no scheme; did you mean https://example.com?"
            ])
    }

    @Test func onlyChipsThatCanBeClosedAsThePlanRequiresAreNamed() throws {
        func chips(_ lock: String, _ password: String) throws -> [String] {
            try Self.columns(
                "uri,lock,protect,password\nhttps://a.b,\(lock),\(password.isEmpty ? "" : "yes"),\(password)\n"
            )
            .0.fittingChips
        }
        let all = try chips("", "")
        #expect(all == TagFit.all(forLength: 8).map(\.tag.chip))
        let locked = try chips("yes", "")
        #expect(locked.contains("Topaz 512") && locked.contains("MIFARE Classic 1K") && locked.contains("ICODE SLIX2"))
        #expect(!locked.contains("ST25DV04K") && !locked.contains("NTAG 424 DNA"))
        #expect(
            try chips("", "1A2B3C4D") == [
                "NTAG210", "MIFARE Ultralight EV1 (128 bytes)", "NTAG212", "NTAG213", "NTAG215", "NTAG216",
            ])
        #expect(try chips("yes", "000102030405060708090A0B0C0D0E0F").count == 2)
    }

    @Test func onlyTheChipThatEveryRowAcceptsIsNamed() throws {
        func chips(_ first: String, _ second: String, lock: String = "") throws -> [String] {
            try Self.columns("uri,require,lock\nhttps://a.b,\(first),\(lock)\nhttps://a.c,\(second),\n").0.fittingChips
        }
        #expect(try chips("ntag215", "ntag215") == ["NTAG215"])
        #expect(try chips("ntag215", "", lock: "yes") == ["NTAG215"])
        #expect(try chips("ntag215", "ntag216") == [])
        #expect(try chips("st25dv04k", "", lock: "yes") == [])
    }

    @Test func warningsAreSummarisedByRule() throws {
        let rows = (1...100).map { "tel:+\($0),\($0 == 50 ? "" : "ssid=Guests")" }.joined(separator: "\n")
        let (check, _) = try Self.columns("uri,wifi\n\(rows)\nmyapp://open,\n")
        #expect(check.badRowCount == 0)
        #expect(check.warnings.map(\.rule) == ["backgroundScheme"])
        #expect(check.warnings.first?.rows.text == "row 101")
        let (networks, _) = try Self.columns("wifi\nssid=a\nssid=b\nssid=c\n")
        #expect(networks.warnings.map(\.text) == ["Rows 1 to 3 (lines 2 to 4): iPhones ignore Wi-Fi records."])
    }

    /// The cells contain a space, a no-break space and a line break.
    ///
    /// A space within a cell is part of a name.
    @Test func blanksThatSpreadsheetsHideAreNamedBeforeTheyGoIntoAURI() throws {
        let plan = "id\nA1\nA2 \n\u{A0}A3\n\"A\n4\"\nA 5\n"
        let check = try Self.templated(plan, .uri, "https://example.com/{id}")
        #expect(check.badRowCount == 0 && check.warnings.map(\.rule) == ["strayBlank"])
        #expect(
            check.warnings.first?.text
                == "Rows 2 to 4 (lines 3 to 5): The cell in column id begins or ends with a space, or contains a line break. This becomes part of the URI, as %20 or %0A."
        )
        #expect(try Self.templated(plan, .text, "{id}").warnings.isEmpty)
    }

    @Test func passwordsThatNoTagIsToAskForAreFound() throws {
        #expect(try Self.columns("text,password\na,1A2B3C4D\nb,\n").0.hasIdlePasswords)
        for plan in [
            "text,password,protect\na,1A2B3C4D,no\n", "text,password,protect\na,1A2B3C4D,yes\n", "text,password\na,\n",
        ] {
            #expect(try !Self.columns(plan).0.hasIdlePasswords)
        }
    }

    @Test func aTextIsNoReasonForAWarning() throws {
        #expect(try Self.columns("text\na\nb\n").0.warnings.isEmpty)
    }

    @Test func columnsOfAllRowsOfAJSONPlanAreLookedAt() throws {
        try Self.withFile("plan.jsonl", "{\"uri\":\"https://a.b\"}\n{\"uri\":\"https://a.c\",\"locked\":true}\n") {
            path in
            let check = try Self.check(
                PlanFile(path: path), RowRecipe(options: [], settings: RowSettings()))
            #expect(UnusedColumn.text(check.unusedColumns) == "Column not used: locked (did you mean lock?).")
        }
    }

    @Test func duplicateRowsAreFoundByValuesAndByMessage() throws {
        let (_, duplicates) = try Self.columns(
            "uri,id\nhttps://a.b,1\nhttps://a.c,2\nhttps://a.b,1\nhttps://a.b,9\nhttps://a.b,1\n")
        #expect(
            duplicates.groups.map(\.text) == [
                "Rows 3 and 5 (lines 4 and 6) have the same values as row 1 (line 2).",
                "Row 4 (line 5) makes the same message as row 1 (line 2).",
            ])
    }

    @Test func duplicatesThatAreNotListedAreCountedByRows() throws {
        let rows = (1...3).map { "https://a.b/\($0),\($0)\n" }.joined()
        let (_, duplicates) = try Self.columns("uri,id\n" + rows + rows + rows)
        #expect(duplicates.groups.count == 3 && duplicates.copyCount == 6)
        #expect(duplicates.lines(limit: 1).last == "… and 4 more rows that repeat earlier ones")
        #expect(duplicates.lines(limit: 3).count == 3)
        let (_, pairs) = try Self.columns("uri,id\n" + rows + rows)
        #expect(pairs.lines(limit: 2).last == "… and 1 more row that repeats an earlier one")
    }

    @Test func rowsThatDifferOnlyByTheirTagsUIDAreNotDuplicates() throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://a.b/{uid}")], settings: RowSettings())
        var check = PlanCheck(recipe: recipe)
        var duplicates = DuplicateRows()
        for number in 1...3 {
            let row = PlanRow(number: number, line: number, fields: [PlanField(name: "id", value: "\(number)")])
            check.add(.row(row)).map { duplicates.add($0) }
        }
        #expect(check.isOfUID && check.goodRowCount == 3 && duplicates.groups.isEmpty)
    }

    @Test(arguments: [
        ([3], "row 3"), ([1, 2], "rows 1 and 2"), (Array(1...9), "rows 1 to 9"),
        ([1, 3, 5, 6, 7, 9], "rows 1, 3, 5 to 7 and 9"),
        (Array(stride(from: 1, through: 19, by: 2)), "rows 1, 3, 5, 7, 9 and 5 more"),
    ])
    func rowNumbersAreFewWords(numbers: [Int], text: String) {
        var rows = RowNumbers()
        for number in numbers { rows.add(number) }
        #expect(rows.text == text && rows.count == numbers.count)
        #expect(rows.capitalizedText == "R" + text.dropFirst())
    }

    @Test func onlyAFileCanBeReadAgain() throws {
        #expect(throws: PlanError(.notAFile("Standard input"))) { try PlanFile(path: "-") }
        #expect(throws: PlanError(.notAFile("/dev/zero"))) { try PlanFile(path: "/dev/zero", format: .csv) }
        #expect(throws: PlanError(.unknownFormat(file: "plan.doc"))) { try PlanFile(path: "plan.doc") }
        #expect(throws: PlanError(.workbook)) { try PlanFile(path: "plan.xlsx") }
        #expect(throws: PlanError(.unreadable(file: "/no/plan.csv", reason: "No such file or directory"))) {
            try PlanFile(path: "/no/plan.csv")
        }
        #expect(throws: PlanError(.unreadable(file: "/tmp", reason: "Is a directory"))) {
            try PlanFile(path: "/tmp", format: .csv)
        }
    }
}
