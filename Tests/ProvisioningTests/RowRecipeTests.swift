// From rows to messages: templates, columns, settings

import Composing
import Foundation
import NDEF
import ReaderInterface
import TagTypes
import Testing
@testable import Provisioning

@Suite struct RowRecipeTests {
    private static let uid: [UInt8] = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0x80]

    private static func row(_ fields: KeyValuePairs<String, String>, number: Int = 7) -> PlanRow {
        PlanRow(number: number, line: 8, fields: fields.map { PlanField(name: $0.key, value: $0.value) })
    }

    private static func message(
        _ options: [(RecordOption.Name, String)], _ fields: KeyValuePairs<String, String>
    ) throws -> OrderedMessage {
        let recipe = try RowRecipe(
            options: options.map { RecordOption(name: $0.0, value: $0.1) }, settings: RowSettings())
        return try recipe.order(for: row(fields)).message(uid: uid)
    }

    static let uris: [(template: String, uri: String)] = [
        ("https://x.example/{id}", "https://x.example/a%20b%2F%C3%A9%7Bn%7D"),
        ("https://x.example/{path:raw}", "https://x.example/a/é"),
        ("{path:raw}", "a/é"),
        ("https://x.example/{uid}/{uid:lower}", "https://x.example/04A1B2C3D4E580/04a1b2c3d4e580"),
        ("https://x.example/{n}-{n:05}-{n:01}", "https://x.example/7-00007-7"),
    ]

    @Test(arguments: uris)
    func placeholdersAreFilledInOnceAndEncodedInURIs(_ template: String, _ uri: String) throws {
        let message = try Self.message([(.uri, template)], ["id": "a b/é{n}", "path": "a/é"]).message
        #expect(message.records.map(\.content) == [.uri(URIRecord(uri: uri))])
    }

    @Test(arguments: ["https://x.example/{{{n}}}", "https://x.example/{id:raw}"])
    func bracesInAURIAreRefusedWhereverTheyComeFrom(_ template: String) throws {
        let error = try #require(throws: PlanError.self) { try Self.message([(.uri, template)], ["id": "a{n}"]) }
        #expect(error.description.contains("A URI has no braces"))
    }

    @Test func aCellCannotAddPartsToACode() throws {
        let message = try Self.message(
            [(.wifi, "WIFI:T:WPA;S:{name};P:{key};;")], ["name": "a:\"b\"", "key": "abcdefgh;H:1\\"])
        let plain = try Self.message(
            [(.wifi, "ssid={name};password={key}")], ["name": "a:\"b\"", "key": "abcdefgh;H:1\\"])
        #expect(message.message == plain.message)
        #expect(throws: PlanError.self) { try Self.message([(.wifi, "WIFI:T:WPA;{all};;")], ["all": "S:a;P:abcdefgh"]) }
    }

    @Test func aCellCannotAddPartsToAMail() throws {
        #expect(throws: (any Error).self) { try Self.message([(.mail, "{to}")], ["to": "x@example.com;subject=Hi"]) }
        let message = try Self.message([(.mail, "{to};subject={s}")], ["to": "a@example.com", "s": "1;body=2"])
        #expect(
            message.message.records.map(\.content)
                == [.uri(URIRecord(uri: "mailto:a@example.com?subject=1%3Bbody%3D2"))])
    }

    @Test func textsTakeCellsAsTheyAre() throws {
        let message = try Self.message([(.text, "{name} {{n}} {uid:mirror}")], ["name": "{uid:mirror} & {n}"])
        #expect(
            message.message.records.map(\.content)
                == [.text(TextRecord(text: "{uid:mirror} & {n} {n} 00000000000000"))])
        // The Text record's head, `02 65 6E`, followed by the cell.
        #expect(message.mirror == MirrorPlacement(content: .uid, offset: 4 + 3 + "{uid:mirror} & {n} {n} ".utf8.count))
    }

    @Test func aCellIsNeverTheNameOfAFile() throws {
        let cell = "@/etc/passwd"
        for (name, template, type) in [
            (RecordOption.Name.vcard, "{card}", "text/vcard"), (.mime, "text/plain={card}", "text/plain"),
            (.mime, "{whole}", "text/plain"),
        ] {
            let message = try Self.message([(name, template)], ["card": cell, "whole": "text/plain=" + cell]).message
            #expect(message.records == [try MIMERecord(mimeType: type, data: Array(cell.utf8)).record()])
        }
        let column = try Self.message([], ["vcard": cell]).message
        #expect(column.records == [try MIMERecord(mimeType: "text/vcard", data: Array(cell.utf8)).record()])
        // If half of `hex:` comes from the template and half from the row, the result is also text.
        let half = try Self.message([(.vcard, "h{rest}")], ["rest": "ex:00"]).message
        #expect(half.records == [try MIMERecord(mimeType: "text/vcard", data: Array("hex:00".utf8)).record()])
    }

    @Test func aTemplateMayNameAFileOrHexadecimalText() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "RowRecipeTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("content".utf8).write(to: file)
        let read = try Self.message([(.mime, "text/plain=@{file}")], ["file": file.path]).message
        #expect(read.records == [try MIMERecord(mimeType: "text/plain", data: Array("content".utf8)).record()])
        let hex = try Self.message([(.mime, "a/b=hex:{data}")], ["data": "0A0b"]).message
        #expect(hex.records == [try MIMERecord(mimeType: "a/b", data: [0x0A, 0x0B]).record()])
        let column = try Self.message([], ["mime": "a/b=hex:00ff"]).message
        #expect(column.records == [try MIMERecord(mimeType: "a/b", data: [0x00, 0xFF]).record()])
        #expect(throws: PlanError.self) { try Self.message([(.mime, "text/plain=@{file}")], ["file": "-"]) }
    }

    @Test func aPasswordOfANetworkIsOneWhateverIsInIt() throws {
        let message = try Self.message([(.wifi, "ssid=Guests;password={key}")], ["key": #"a;auth=open\,auth=x"#])
            .message
        let network = try WiFiCredential(argument: #"ssid=Guests;password=a\;auth=open\\\,auth=x"#)
        #expect(message.records == [try WiFiRecord(networks: [network]).record()])
    }

    @Test func aNetworkInAColumnIsTakenAsItIsOnlyWhereTheTemplateSaysRaw() throws {
        let cell = "ssid=a;password=longenough1"
        let network = try WiFiCredential(argument: cell)
        for template in ["{net:raw}", "{net:raw};hidden=true"] {
            let message = try Self.message([(.wifi, template)], ["net": cell]).message
            #expect(message.records == [try WiFiRecord(networks: [network]).record()])
        }
        // A password would become part of the name that all phones show.
        let error = try #require(throws: PlanError.self) {
            try Self.message([(.wifi, "ssid={net}")], ["net": "a;password=longenough1"])
        }
        #expect(!"\(error)".contains("longenough1"))
    }

    static let badTemplates: [(name: RecordOption.Name, template: String, text: String)] = [
        (.text, "{", "--text: A { is not closed. Write {{ for a brace."),
        (.text, "a}", "--text: Unexpected }. Write }} for a brace."),
        (.text, "{}", "--text: There is nothing between { and }. Write {{}} for braces."),
        (.text, "{n:5}", "--text: {n:5} does not set the width of a number. Use {n:01} to {n:020}, such as {n:05}."),
        (
            .text, "{n:021}",
            "--text: {n:021} does not set the width of a number. Use {n:01} to {n:020}, such as {n:05}."
        ),
        (
            .uri, "{Link}",
            "--uri: {Link} at the start is percent-encoded, including https://. Use --uri '{Link:raw}'."
        ),
        (
            .wifi, "{net}",
            "--wifi: {net} is used where a field name such as ssid= belongs, so the ; and = in it would become part of a value. Write {net:raw}."
        ),
        (
            .wifi, #"ssid=a\;b;{net};auth=wpa2"#,
            "--wifi: {net} is used where a field name such as ssid= belongs, so the ; and = in it would become part of a value. Write {net:raw}."
        ),
        (.vcard, "@-", "--vcard: Standard input cannot be read for each row. Use a file: @FILE"),
        (.mime, "a/b=@-", "--mime: Standard input cannot be read for each row. Use a file: @FILE"),
        (.vcard, "{uid:mirror}", "--vcard: {uid:mirror} and {counter:mirror} belong in --text or --uri."),
        (
            .text, "{uid:lwer}",
            "--text: {uid:lwer} is not a column. Did you mean {uid:lower}? Known placeholders: {uid} {uid:lower} {n} {n:05} {random:32} {uid:mirror} {counter:mirror}"
        ),
    ]

    @Test(arguments: badTemplates)
    func badTemplatesAreNamed(_ name: RecordOption.Name, _ template: String, _ text: String) throws {
        let error = try #require(throws: PlanError.self) {
            try RowRecipe(options: [RecordOption(name: name, value: template)], settings: RowSettings())
                .check(columns: nil)
        }
        #expect(error.description == text)
    }

    /// An unknown column is reported before an error about the position of its placeholder.
    @Test(arguments: [(RecordOption.Name.uri, "{idd}/x"), (.wifi, "{idd}"), (.uri, "https://example.com/{idd}")])
    func aNameThatIsNoColumnIsSaidFirst(_ name: RecordOption.Name, _ template: String) throws {
        let recipe = try RowRecipe(options: [RecordOption(name: name, value: template)], settings: RowSettings())
        let error = try #require(throws: PlanError.self) { try recipe.check(columns: ["id"]) }
        #expect(error.description.contains("{idd} is not a column. Did you mean {id}?"))
    }

    @Test func aColumnThatIsNotThereIsNamedWithTheNearest() throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .text, value: "{nmae}")], settings: RowSettings())
        let text =
            "--text: {nmae} is not a column. Known placeholders: {id} {name1} {uid} {uid:lower} {n} {n:05} {random:32} {uid:mirror} {counter:mirror}"
        let error = try #require(throws: PlanError.self) { try recipe.check(columns: ["id", "name1"]) }
        #expect(error.description == text)
        let near = try #require(throws: PlanError.self) { try recipe.check(columns: ["nmame"]) }
        #expect(near.description.contains("Did you mean {nmame}?"))
        #expect(throws: PlanError.self) { try recipe.order(for: Self.row(["id": "1"])).message(uid: Self.uid) }
    }

    @Test func columnsNamedLikeOptionsMakeRecordsInTheirOrder() throws {
        let message = try Self.message(
            [], ["id": "7", "smart-poster": "a:b", "title": "T", "text": "", "lang": "de", "uri": "https://x.example"]
        ).message
        #expect(message.records.count == 2)
        #expect(message.records.last?.content == .uri(URIRecord(uri: "https://x.example")))
        #expect(throws: PlanError(line: 8, .noRecord)) { try Self.message([], ["text": "", "empty": ""]) }
        #expect(throws: PlanError(.nothingToWrite(UnusedColumn("url", among: ["uri"])))) {
            try RowRecipe(options: [], settings: RowSettings()).check(columns: ["id", "url"])
        }
    }

    @Test(
        arguments: [
            (["id;Preis (EUR", " netto)"], "id;Preis (EUR", ";"), (["id|name"], "id|name", "|"),
            (["name | id"], "name | id", "|"), (["box", "id:seat"], "id:seat", ":"),
        ] as [([String], String, Character)])
    func aPlaceholderInAJoinedColumnPointsToTheSeparator(
        columns: [String], header: String, separator: Character
    ) throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://example.com/{id}")], settings: RowSettings())
        let error = try #require(throws: PlanError.self) { try recipe.check(columns: columns) }
        #expect(error.reason == .joinedColumns(placeholder: "id", header: header, separator: separator))
        #expect(error.description.hasSuffix("write a line before the header: sep=\(separator)"), "\(error)")
    }

    @Test(arguments: [
        (["1001"], PlanError.Reason.noHeader(value: "1001")), (["1", "Anna"], .noHeader(value: "1")),
        (["Anna", "https://a.b/1"], .noHeader(value: "https://a.b/1")),
        (["id|uri"], .otherSeparator(header: "id|uri", separator: "|")), (["id|uri", "b"], .nothingToWrite(nil)),
        (["room 12"], .nothingToWrite(nil)),
    ])
    func aHeaderThatIsNoneSaysWhatIsWrong(columns: [String], reason: PlanError.Reason) throws {
        let recipe = try RowRecipe(options: [], settings: RowSettings())
        let error = try #require(throws: PlanError.self) { try recipe.check(columns: columns) }
        #expect(error.reason == reason && error.kind == .usage)
        #expect(error.description.contains("There is nothing to write."))
    }

    @Test func columnsWinOverTheCommandLineAndEmptyCellsDoNot() throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .text, value: "x")],
            settings: RowSettings(lock: true, require: RequiredChip(named: "NTAG216")))
        let settings = try recipe.order(
            for: Self.row([
                "lock": "NO", "protect": "1", "password": "00112233:4455", "require": "ntag-213", "overwrite": "same",
            ])
        ).settings
        #expect(!settings.lock)
        #expect(settings.protect)
        #expect(settings.password != nil)
        #expect(settings.require?.name == "NTAG213")
        #expect(settings.require?.capacity == 137)
        #expect(settings.overwrite == .same)
        let same = try recipe.order(for: Self.row(["lock": "", "require": "", "overwrite": ""])).settings
        #expect(same == RowSettings(lock: true, require: RequiredChip(named: "ntag216")))
        #expect(recipe.lines == ["--text x", "--lang en", "--overwrite never", "--lock", "--require NTAG216"])
    }

    static let badSettings: [(column: String, value: String, text: String)] = [
        ("lock", "maybe", "Line 8, column lock: “maybe” is not yes, true, 1, no, false or 0."),
        ("overwrite", "yes", "Line 8, column overwrite: “yes” is not never, same or always."),
        (
            "protect", "yes",
            "Line 8: The row is to be protected, but there is no password."
        ),
        (
            "password", "secret",
            "Line 8, column password: The value is not a password. Give 8 hexadecimal digits (PWD), 8 and 4 with a colon between (PWD:PACK), or 32 for the key of an Ultralight C or AES."
        ),
    ]

    @Test(arguments: badSettings)
    func badSettingsAreNamed(_ column: String, _ value: String, _ text: String) throws {
        let error = try #require(throws: PlanError.self) { try Self.message([], ["text": "x", column: value]) }
        #expect(error.description == text)
        let chip = try #require(throws: PlanError.self) { try Self.message([], ["text": "x", "require": "ntag999"]) }
        #expect(chip.description.hasPrefix("Line 8, column require: “ntag999” is not a chip: NTAG210, "))
    }

    @Test func columnsThatNothingUsesAreNamedWithWhatIsMeant() throws {
        let recipe = try RowRecipe(options: [], settings: RowSettings())
        let columns = ["uri", "locked", "passwort", "note", "id"]
        #expect(
            UnusedColumn.text(recipe.unused(of: columns))
                == "Columns not used: locked (did you mean lock?), passwort (did you mean password?), note, id.")
        #expect(recipe.unused(of: ["text", "lock"]).isEmpty && UnusedColumn.text([]) == nil)
    }

    @Test(arguments: [("url", "uri"), ("URI", "uri"), ("Link", "uri"), ("e-mail", "mail"), ("overwite", "overwrite")])
    func anotherWordForAColumnIsUnderstood(column: String, meant: String) throws {
        let recipe = try RowRecipe(options: [], settings: RowSettings())
        #expect(recipe.unused(of: ["text", column]).map(\.meant) == [meant])
        // A name that the plan already has is not suggested.
        #expect(recipe.unused(of: [meant, column]).map(\.meant) != [meant])
    }

    @Test func aColumnOfATemplateIsUsed() throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://x.example/{URI}")], settings: RowSettings())
        #expect(recipe.unused(of: ["URI", "text"]).map(\.name) == ["text"])
    }

    @Test func aPlanWhoseOnlyColumnIsMisnamedIsToldTheName() throws {
        let error = try #require(throws: PlanError.self) {
            try RowRecipe(options: [], settings: RowSettings()).check(columns: ["id", "url"])
        }
        #expect(
            error.description.hasPrefix("There is nothing to write. The column url is not used. Did you mean uri?"))
    }

    @Test func aNameOfAFileInATemplateIsNotEscapedAsANetwork() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "Row;RecipeTests,-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("ssid=Guests\npassword=correct horse\n".utf8).write(to: file)
        let message = try Self.message([(.wifi, "@{file}")], ["file": file.path]).message
        let network = try WiFiCredential(argument: "ssid=Guests;password=correct horse")
        #expect(message.records == [try WiFiRecord(networks: [network]).record()])
    }

    @Test func theChipShowsItsPlaceInARowsURI() throws {
        let message = try Self.message(
            [(.text, "{id}"), (.uri, "https://x.example/{id}?{uid:mirror}x{counter:mirror}")], ["id": "00000000000000"])
        #expect(message.mirror?.content == .uidAndCounter)
        let bytes = try message.message.encoded()
        let offset = try #require(message.mirror?.offset)
        #expect(offset + 21 == bytes.count)
    }

    @Test func thePasswordThatEveryTagHasIsRefused() throws {
        let error = try #require(throws: PlanError.self) {
            try Self.message([], ["text": "x", "protect": "yes", "password": "FFFFFFFF"])
        }
        #expect(error == PlanError(line: 8, .deliveredPassword))
    }

    @Test(arguments: ["Lock", "LOCK", "lock ", " lock", "lock\t", "\u{A0}Lock\u{FEFF}"])
    func aSettingInOtherLettersOrWithBlanksIsRefused(column: String) throws {
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://a.b/{id}")], settings: RowSettings())
        #expect(throws: PlanError(column: column, .otherCase("lock"))) { try recipe.check(columns: ["id", column]) }
        // In JSON Lines each row has its own columns.
        var check = PlanCheck(recipe: recipe)
        let fields = [PlanField(name: "id", value: "1"), PlanField(name: column, value: "yes")]
        for number in 1...2 {
            #expect(check.add(.row(PlanRow(number: number, line: number, fields: fields))) == nil)
        }
        #expect(check.badRows == [1, 2].map { PlanError(line: $0, column: column, .otherCase("lock")) })
    }

    @Test func aRecordOptionInOtherLettersIsRefusedWhereColumnsAreTheRecords() throws {
        let ofColumns = try RowRecipe(options: [], settings: RowSettings())
        #expect(throws: PlanError(column: "URI", .otherCase("uri"))) { try ofColumns.check(columns: ["text", "URI"]) }
        let ofTemplate = try RowRecipe(
            options: [RecordOption(name: .uri, value: "{URI:raw}")], settings: RowSettings())
        try ofTemplate.check(columns: ["URI", "Text"])
    }

    /// A station that joins another station's plan must not read files that the plan names.
    @Test func templatesThatReadFilesAreNamed() throws {
        let options: [RecordOption] = [
            .init(name: .uri, value: "https://example.com/@{id}"),
            .init(name: .mime, value: "text/plain=@/etc/hostname"),
            .init(name: .mime, value: "text/plain={id}"),
        ]
        let recipe = try RowRecipe(options: options, settings: RowSettings())
        #expect(recipe.fileTemplates == ["--mime text/plain=@/etc/hostname"])
    }
}
