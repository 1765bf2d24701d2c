// No report contains the password of a tag or a network, unless it is requested

import Composing
import Foundation
import Provisioning
import Testing

@Suite struct ReportSecretsTests {
    private static func record(_ cells: [(String, String)], recipe: [String]) -> ReportRecord {
        let fields = cells.map { PlanField(name: $0.0, value: $0.1) }
        return ReportRecord(rows: [.made(1, .proven, fields: fields)], recipe: recipe + ["--lang en"])
    }

    private static let secret = "longenough1"

    @Test(
        arguments: [
            (["wifi": "ssid=Guests;password=longenough1"], []),
            (["wifi": "SSID=Guests;Password=longenough1;auth=wpa"], []),
            // This row never described a network.
            (["wifi": "longenough1", "text": "Guests"], []),
            (["ssid": "Guests", "wifipw": "longenough1"], ["--wifi ssid={ssid};password={wifipw}"]),
            (["ssid": "Guests", "room": "longenough1"], ["--wifi ssid={ssid};PASSWORD=room-{room:raw}-x;auth=wpa2"]),
            (["all": "ssid=Guests;password=longenough1"], ["--text x", "--wifi {all:raw}"]),
            (["wifi": "WIFI:T:WPA;S:Guests;P:longenough1;;"], []),
            (["all": "WIFI:S:Guests;P:longenough1;T:WPA;;"], ["--wifi {all:raw}"]),
            (["wlan": "WIFI:T:WPA;S:Guests;P:longenough1;;", "note": "longenough1"], []),
            (["first": "Guests", "rest": "password=longenough1"], ["--wifi ssid={first};{rest:raw}"]),
            (["box": "Guests", "Passwort": "longenough1"], ["--text {box}"]),
            // The name of the column does not matter, and neither does its use.
            (["uri": "https://example.com", "wlan": "ssid=Guests;password=longenough1"], []),
            (["box": "Guests", "net": "ssid=a;password=longenough1"], ["--text {box}"]),
            (["box": "Guests", "net": "SSID = a, Password = longenough1"], ["--text {box}"]),
            (["box": "Guests", "net": "ssid=a\npassword=longenough1"], ["--wifi @{box}"]),
            (["box": "Guests", "net": "ssid=a;password", "x": "longenough1"], ["--wifi {net:raw}={x}"]),
            (["box": "Guests", "net": "ssid=a;passwort", "x": "longenough1"], ["--wifi {net:raw}={x}"]),
            (["box": "Guests", "net": "a;password=longenough1"], ["--wifi ssid={net:raw}"]),
            (["wlan": "ssid=Guests;password=longenough1", "note": "the word is longenough1!"], ["--wifi {wlan:raw}"]),
            (["wlan": "ssid=Guests;password=longenough1", "note": "longenough1"], []),
            (["box": "Guests", "doorPIN": "longenough1"], ["--text {box}"]),
            (["box": "Guests", "api_key": "longenough1"], ["--text {box}"]),
        ] as [(KeyValuePairs<String, String>, [String])])
    func aSecretIsInNoReport(cells: KeyValuePairs<String, String>, recipe: [String]) throws {
        let record = Self.record(cells.map { ($0.key, $0.value) }, recipe: recipe)
        for format in ReportFormat.allCases {
            let text = try ProvisionReport(of: record).text(format)
            #expect(!text.contains(Self.secret), "\(text)")
            #expect(text.contains("Guests"), "\(text)")
            #expect(try ProvisionReport(of: record, showsSecrets: true).text(format).contains(Self.secret))
        }
    }

    @Test func aPasswordIsFoundHoweverItsSignsAreWritten() throws {
        for cell in ["ssid=Guests;password=semi\\;colon\\\\1", "ssid=Guests;password=com\\,ma\\,12345"] {
            let text = try ProvisionReport(of: Self.record([("wifi", cell)], recipe: [])).text(.jsonLines)
            #expect(text.contains(#""wifi":"ssid=Guests;password=•••""#), "\(text)")
        }
        // One character is escaped, and one is not. If in doubt, the report hides too much.
        let mixed = "ssid=Guests;password=com\\,ma,12345"
        let text = try ProvisionReport(of: Self.record([("wifi", mixed)], recipe: [])).text(.jsonLines)
        #expect(text.contains(#""wifi":"•••""#), "\(text)")
    }

    /// In Swift, the last character of the password and the mark after it form a single, different character.
    @Test func aPasswordBeforeACombiningMarkIsHidden() throws {
        let record = Self.record(
            [("wlan", "ssid=Guests;password=\(Self.secret)"), ("note", "\(Self.secret)\u{301}")], recipe: [])
        for format in ReportFormat.allCases {
            let bytes = Data(try ProvisionReport(of: record).text(format).utf8)
            #expect(bytes.range(of: Data(Self.secret.utf8)) == nil)
        }
    }

    @Test func whatIsNoSecretStays() throws {
        let cells = [("key", "A17"), ("monkey", "m"), ("pine", "p"), ("wifi", "ssid=Open")]
        let record = Self.record(cells, recipe: [])
        let text = try ProvisionReport(of: record).text(.jsonLines)
        #expect(text.contains(#""monkey":"m","pine":"p","wifi":"ssid=Open""#), "\(text)")
        #expect(!text.contains("A17"))
        // The value is on each tag, so it is not hidden.
        let ofTemplate = Self.record(cells, recipe: ["--uri https://example.com/{key}"])
        #expect(try ProvisionReport(of: ofTemplate).text(.jsonLines).contains(#""key":"A17""#))
    }

    @Test func aReportWithSecretsIsForItsOwnerAlone() throws {
        let place = try JournalPlace()
        let file = place.file.deletingLastPathComponent().appending(path: "report.csv")
        let record = Self.record([("password", "1A2B3C4D")], recipe: [])
        for (showsSecrets, mode) in [(false, 0o644), (true, 0o600)] {
            try ProvisionReport(of: record, showsSecrets: showsSecrets).write(to: file)
            let found = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(found == mode)
        }
    }

    @Test func aChangedPlanTellsNoPasswordOfANetwork() throws {
        let place = try JournalPlace()
        let recipe = ["--wifi ssid={s};password={w}", "--lang en"]
        func row(_ password: String) -> PlanRow {
            PlanRow(
                number: 1, line: 2,
                fields: [PlanField(name: "s", value: "Guests"), PlanField(name: "w", value: password)])
        }
        let journal = try EmbeddedJournal.create(at: place.file) { insert in
            try insert(row("longenough1"))
            return PlanIdentity(file: "a.csv", sha256: "A", recipe: recipe)
        }
        let differences = try journal.differences { compare in
            try compare(row("longenough2"))
            return PlanIdentity(
                file: "a.csv", sha256: "B", recipe: ["--wifi ssid=Guests;password=longenough3", "--lang en"])
        }
        guard case .changed(_, _, let columns)? = differences.rows.first else {
            Issue.record("\(differences.rows)")
            return
        }
        #expect(columns == [.init(name: "w", old: "•••", new: "•••")])
        #expect(
            differences.recipe == [.removed("--wifi •••"), .added("--wifi ssid=Guests;password=•••")])
    }
}
