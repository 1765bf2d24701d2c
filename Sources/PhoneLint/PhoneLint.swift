// Checks whether phones handle a message, a tag, or both as intended

public import NDEF

/// A linter for the phones that will read a message or a tag.
public struct PhoneLint: Sendable {
    private static let rules: [any Rule] = [
        EmptyMessage(), BrokenRecord(), EmptyRecord(), UnknownType(), URIForm(), WebAddress(), ContactAddress(),
        PlainHTTP(), SeveralURIs(), BackgroundURI(), BackgroundURIOrder(), BackgroundScheme(), FirstRecord(),
        AppRecordOrder(), SeveralAppRecords(), AppPackage(), MediaForm(), TextLanguage(), MessageLength(), NoNDEFData(),
        ClassicTag(), ReadPassword(), AccessConditions(), MappingVersion(), DataAreaSize(), LockControl(),
        WriteProtection(),
    ]

    /// The names of all rules, in the order in which they are applied.
    public static var ruleNames: [String] { rules.map(\.name) }

    private let phones: [Phone]

    /// Creates a linter for these phones.
    public init(phones: [Phone] = Phone.allCases) { self.phones = phones }

    /// Returns all findings about a message, most severe first, and ordered by rule and record.
    public func findings(in message: NDEFMessage) -> [Finding] { findings(Subject(message, on: nil)) }

    /// Returns all findings about a message that will be written to a tag.
    ///
    /// The capacity of the tag decides whether the message fits, so its length is not checked. A Text record without a
    /// URI is not reported either, because users who write text do not expect a phone to open a page.
    public func findings(beforeWriting message: NDEFMessage) -> [Finding] {
        let subject = Subject(message, on: nil)
        return findings(subject).filter {
            $0.rule != MessageLength().name && !BackgroundURI().isAboutText($0, in: subject)
        }
    }

    /// Returns all findings about a tag.
    ///
    /// The message has no records if the tag is empty. It is nil if it cannot be read.
    public func findings(in message: NDEFMessage?, on tag: TagFacts) -> [Finding] {
        findings(Subject(message, on: tag))
    }

    private func findings(_ subject: Subject) -> [Finding] {
        let all = Self.rules.flatMap { $0.findings(in: subject) }.compactMap { finding -> Finding? in
            let concerned = finding.phones.filter(phones.contains)
            guard !concerned.isEmpty else { return nil }
            return Finding(
                rule: finding.rule, severity: finding.severity, phones: concerned, message: finding.message,
                advice: finding.advice, record: finding.record, evidence: finding.evidence)
        }
        // This sort is stable, which the standard library's sort does not guarantee.
        return Severity.allCases.flatMap { severity in all.filter { $0.severity == severity } }
    }
}
