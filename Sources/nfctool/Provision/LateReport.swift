// Reports that could not be written because the journal could not be read

import Doctor

/// The reports of a run whose journal cannot be read at the end, for example because the database does not answer.
struct LateReport {
    /// The files, as the user named them.
    let reports: [String]
    /// The options that name the journal.
    let journal: [String]
    let showsSecrets: Bool

    /// The warning that the reports were not written, and how to write them later.
    var text: String {
        let words = ["nfctool", "provision", "export"] + reports + journal + (showsSecrets ? ["--show-secrets"] : [])
        return (reports.count == 1 ? "The report was not written" : "The reports were not written")
            + ", because the journal cannot be read now. To write \(reports.count == 1 ? "it" : "them") later:  "
            + words.map(ShellLine.quoted).joined(separator: " ")
    }
}
