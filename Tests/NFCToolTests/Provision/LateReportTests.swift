// The warning about reports that could not be written, and the command that writes them later

import Testing

@testable import nfctool

@Suite struct LateReportTests {
    @Test func theCommandNamesTheReportsAndTheJournal() {
        let one = LateReport(reports: ["r.html"], journal: ["--plan", "p 1.csv"], showsSecrets: false)
        #expect(
            one.text == "The report was not written, because the journal cannot be read now. To write it later:  "
                + "nfctool provision export r.html --plan 'p 1.csv'")
        let two = LateReport(reports: ["a.csv", "b.html"], journal: ["--journal", "x.journal"], showsSecrets: true)
        #expect(two.text.hasPrefix("The reports were not written"))
        #expect(two.text.hasSuffix("export a.csv b.html --journal x.journal --show-secrets"))
    }
}
