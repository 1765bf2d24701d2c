// What a report may tell of a row's columns

extension PlanField {
    /// Set for a password: its value stands in no report.
    var isSecret: Bool {
        name.utf8.count >= 8 && name.lowercased().split(whereSeparator: \.isWhitespace) == ["password"]
    }

    /// The value, or three dots that say that there is one to be kept.
    var reportedValue: String { isSecret ? "•••" : value }
}
