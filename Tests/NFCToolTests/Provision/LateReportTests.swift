// The warning about reports that could not be written, and the command that writes them later

import Provisioning
import Testing

@testable import nfctool

@Suite struct LateReportTests {
    static let server = "postgresql://desk@127.0.0.1/shop"

    @Test(
        arguments: [
            (server, "a/p 1.csv", "--journal \(server) '--plan=p 1.csv'"),
            ("x.journal", "p.csv", "--journal x.journal"),
            (nil, "a/p.csv", "--plan a/p.csv"),
        ] as [(String?, String, String)])
    func theCommandNamesTheJournal(journal: String?, plan: String, options: String) {
        let report = LateReport(reports: ["r.html"], source: .file(plan), journal: journal, showsSecrets: false)
        #expect(
            report.text == "The report was not written, because the journal cannot be read now. To write it later:  "
                + "nfctool provision export r.html \(options)")
    }

    @Test func aRangeAndSeveralReportsAreNamed() throws {
        let range = PlanSource.range(try PlanRange("1-9"))
        let files = LateReport(reports: ["a.csv", "b.html"], source: range, journal: nil, showsSecrets: true)
        #expect(files.text.hasPrefix("The reports were not written"))
        #expect(files.text.hasSuffix("export a.csv b.html --journal range-1-9.journal --show-secrets"))
        let shared = LateReport(reports: ["a.csv"], source: range, journal: Self.server, showsSecrets: false)
        #expect(shared.text.hasSuffix("export a.csv --journal \(Self.server) '--plan=--range 1-9'"))
    }
}
