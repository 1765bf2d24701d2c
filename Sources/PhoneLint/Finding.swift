// A finding from a rule

/// The severity of a finding, most severe first.
public enum Severity: String, CaseIterable, Hashable, Sendable, Comparable {
    /// The phone reads nothing, or reads the content incorrectly.
    case error
    /// The phone reads the content, but probably does not do what was intended.
    case warning
    /// The content works, but could be improved.
    case hint

    /// Returns whether the left severity comes first.
    ///
    /// More severe values come first when findings are sorted.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .hint: 2
        }
    }
}

/// Something that phones cannot handle as intended.
public struct Finding: Hashable, Sendable {
    /// The name of the rule, in lowerCamelCase.
    public let rule: String
    /// The severity of the finding.
    public let severity: Severity
    /// The affected phones.
    ///
    /// There is at least one.
    public let phones: [Phone]
    /// The problem, as a full sentence.
    ///
    /// It may quote the message.
    public let message: String
    /// Advice for the user, as a full sentence.
    public let advice: String
    /// The number of the record, counted from 1, or nil if the finding is about the whole message or the tag.
    public let record: Int?
    /// The source of the rule: a specification, a vendor's page, or an issue.
    public let evidence: String
}
