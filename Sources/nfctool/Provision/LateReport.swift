// The warning about reports that could not be written because the journal could not be read

import Doctor

/// The reports that a run could not write at its end.
///
/// The reason is that the journal cannot be read, for example because the database does not answer.
struct LateReport {
    /// The report files, in the form in which the user named them.
    let reports: [String]
    let journal: [String]
    let showsSecrets: Bool

    var text: String {
        let words = ["nfctool", "provision", "export"] + reports + journal + (showsSecrets ? ["--show-secrets"] : [])
        return (reports.count == 1 ? "The report was not written" : "The reports were not written")
            + ", because the journal cannot be read now. To write \(reports.count == 1 ? "it" : "them") later:  "
            + words.map(ShellLine.quoted).joined(separator: " ")
    }
}
