// What a rule has to say

/// How much a finding matters, the worst first.
public enum Severity: String, CaseIterable, Hashable, Sendable, Comparable {
    /// The phone reads nothing, or reads it wrong.
    case error
    /// The phone reads it, and does not do what was probably meant.
    case warning
    /// It works; it could be better.
    case hint

    /// Worse is less, so that sorting puts errors first.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .hint: 2
        }
    }
}

/// One thing that phones will stumble over.
public struct Finding: Hashable, Sendable {
    /// The rule's name, in lowerCamel.
    public let rule: String
    /// How much it matters.
    public let severity: Severity
    /// The phones concerned, never empty.
    public let phones: [Phone]
    /// What is the matter, a full sentence; may quote the message.
    public let message: String
    /// What to do about it, a full sentence.
    public let advice: String
    /// The number of the record it is about, from 1; nil for the whole message or the tag.
    public let record: Int?
    /// Where the rule is known from: a specification, a vendor's page, an issue.
    public let evidence: String
}
