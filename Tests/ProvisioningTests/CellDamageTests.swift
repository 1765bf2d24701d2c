// Cells that lost their value before the plan was saved

import Composing
import Testing

@testable import Provisioning

struct CellDamageTests {
    @Test(arguments: [
        "#REF!", "#N/A", "#NV", "#NAME?", "#VALUE!", "#DIV/0!", "#BEZUG!", "#WERT!", "#ÜBERLAUF!", "#NV ",
    ])
    func errorsOfSpreadsheetsAreNamedBeforeTheyGoOntoATag(cell: String) throws {
        let plan = "id,note\n1,x\n\(cell),y\n"
        let check = try PlanCheckTests.templated(plan, .text, "{id}")
        #expect(check.badRowCount == 0 && check.warnings.map(\.rule) == ["spreadsheetError"])
        #expect(
            check.warnings.first?.text
                == "Row 2 (line 3): The cell in column id contains the spreadsheet error \(cell) instead of a value.")
        // A cell that is not written does not matter.
        #expect(try PlanCheckTests.templated(plan, .text, "{note}").warnings.isEmpty)
        #expect(try PlanCheckTests.columns("text\n\(cell)\n").0.warnings.map(\.rule) == ["spreadsheetError"])
    }

    @Test func eachDamagedCellIsNamedWithItsColumn() throws {
        let check = try PlanCheckTests.templated("id,name\n#REF!,MÃ¼ller\n1,#N/A\n#REF!,x\n", .text, "{id} {name}")
        #expect(
            check.warnings.map { $0.text.prefix { $0 != "." } } == [
                "Rows 1 and 3 (lines 2 and 4): The cell in column id contains the spreadsheet error #REF! instead of a value",
                "Row 1 (line 2): The cell in column name contains “MÃ¼ller”; did you mean “Müller”? A program has probably read the list with the wrong encoding and saved it again",
                "Row 2 (line 3): The cell in column name contains the spreadsheet error #N/A instead of a value",
            ])
        #expect(check.warnings.allSatisfy { $0.isOfDamage })
    }

    @Test(arguments: ["1.23457E+12", "\"1,23457E+12\"", "1E+15", "-4.5E-07", "1.234E+012"])
    func roundedNumbersAreNamedBeforeTheyGoOntoATag(cell: String) throws {
        let check = try PlanCheckTests.templated("id\n\(cell)\n", .uri, "https://example.com/{id}")
        #expect(check.badRowCount == 0 && check.warnings.map(\.rule) == ["roundedNumber"])
    }

    @Test func damageInAPartOfAnAddressIsNamed() throws {
        let check = try PlanCheckTests.columns(
            "uri\n\"https://example.com/?ean=4,00638E+12\"\nhttps://example.com/#REF!/a\nhttps://example.com/1\n"
        ).0
        #expect(
            check.warnings.map(\.text) == [
                "Row 1 (line 2): The cell in column uri contains 4,00638E+12. A spreadsheet has probably rounded a long number. Format the column as text there, enter the number again, and save the plan.",
                "Row 2 (line 3): The cell in column uri contains the spreadsheet error #REF! instead of a value.",
            ])
    }

    @Test func theErrorOfARowNamesTheDamageInstead() throws {
        let check = try PlanCheckTests.columns("uri\n#NAME?\n").0
        #expect(
            check.badRows.map(\.description) == [
                "Line 2: The cell in column uri contains the spreadsheet error #NAME? instead of a value."
            ])
    }

    @Test(arguments: [
        ("MÃ¼ller", "Müller"), ("Ã\u{81}lvaro", "Álvaro"), ("5 â‚¬", "5 €"), ("CafÃ© â€“ Bar", "Café – Bar"),
        ("ÐœÐ¸Ñ€", "Мир"), ("20Â°", "20°"), ("Ã–sterreich", "Österreich"), ("GroÃŸ", "Groß"),
        ("MÃ¼ller â€“ CafÃ©", "Müller – Café"),
    ])
    func charactersReadWithTheWrongEncodingAreNamed(cell: String, meant: String) throws {
        let check = try PlanCheckTests.columns("text\n\(cell)\n").0
        #expect(
            check.warnings.map(\.text) == [
                "Row 1 (line 2): The cell in column text contains “\(cell)”; did you mean “\(meant)”? A program has probably read the list with the wrong encoding and saved it again. Go back to the original list, and open it as UTF-8."
            ])
        #expect(check.warnings.map(\.rule) == ["wrongEncoding"])
        #expect(try PlanCheckTests.columns("text\n\(meant)\n").0.warnings.isEmpty)
    }

    @Test func charactersThatAProgramCouldNotReadAreNamed() throws {
        #expect(
            try PlanCheckTests.columns("text\nM\u{FFFD}ller\n").0.warnings.map(\.text) == [
                "Row 1 (line 2): The cell in column text contains “\u{FFFD}”, which a program wrote in place of a character that it could not read. Enter the character again, or go back to the original list."
            ])
    }

    @Test(arguments: [
        "#1", "#12!", "#a!", "#", "#!", "1E12", "E+12", "12E+10", "1.5", "A1E+10", "#NVX", "Join #NFC!", "A-1E-05",
        "“MENÜ”", "voilà…", "NÃO", "« Bienvenue au café\u{A0}»", "“C’est l’été…”", "‘né…’", "«Café…»", "Santé…\u{A0}»",
        "“MANHÃ…”", "MANHÃ…", "AMANHÃ»", "AMANHÃ\u{A0}!", "See #N/Alpha", "Lot #N/A-12", "A 1.5E-05 m", "AÇÃO – já",
        "日本", "Ünï©ôdé", "1.5E+123456",
        "12.5E+10",
    ])
    func otherCellsAreNoDamage(cell: String) throws {
        #expect(try PlanCheckTests.templated("id\n\(cell)\n", .text, "{id}").warnings.isEmpty)
    }
}
