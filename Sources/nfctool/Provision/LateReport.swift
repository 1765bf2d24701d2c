// Reports that could not be written because the journal could not be read

import Doctor
import PostgreSQLJournal
import Provisioning

/// The reports of a run whose journal cannot be read at the end, for example because the database is away.
struct LateReport {
    /// The files, as the user named them.
    let reports: [String]
    /// The plan.
    let source: PlanSource
    /// The journal, as the user named it, or nil for the one next to the plan.
    let journal: String?
    let showsSecrets: Bool

    /// The warning that the reports were not written, and how to write them later.
    var text: String {
        let words = ["nfctool", "provision", "export"] + reports + place + (showsSecrets ? ["--show-secrets"] : [])
        return (reports.count == 1 ? "The report was not written" : "The reports were not written")
            + ", because the journal cannot be read now. To write \(reports.count == 1 ? "it" : "them") later:  "
            + words.map(ShellLine.quoted).joined(separator: " ")
    }

    /// The options that name the journal.
    private var place: [String] {
        switch (journal, source) {
        // The name of a range begins with dashes, so it must be part of the option.
        case (let journal?, _) where ServerAddress.isURI(journal):
            ["--journal", journal, "--plan=\(JournalArgument.name(source.name))"]
        case (let journal?, _): ["--journal", journal]
        case (nil, .file(let path, _)): ["--plan", path]
        case (nil, .range): ["--journal", source.journalStem + JournalArgument.suffix]
        }
    }
}
