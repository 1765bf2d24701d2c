// The protocol for rules about phones, and the subject that the rules check

import NDEF

protocol Rule: Sendable {
    /// The name in lowerCamelCase. Scripts may rely on it.
    var name: String { get }
    var evidence: String { get }
    /// Returns the violations of the rule for all phones. The caller selects the phones.
    func findings(in subject: Subject) -> [Finding]
}

extension Rule {
    func finding(
        _ severity: Severity, _ phones: [Phone], _ message: String, advice: String, record: Int? = nil
    ) -> Finding {
        Finding(
            rule: name, severity: severity, phones: phones, message: message, advice: advice, record: record,
            evidence: evidence)
    }
}

/// A message, a tag, or a tag with its message, in which each record is decoded only once.
struct Subject: Sendable {
    struct Part: Sendable {
        /// The number of the record, counted from 1.
        let number: Int
        let record: NDEFRecord
        let content: RecordContent
    }

    /// A URI that a record asks the phone to open.
    struct Link: Hashable, Sendable {
        let number: Int
        let uri: String
        /// Whether the record has type `U`, and not that of a smart poster or TNF 3.
        let isURIRecord: Bool
    }

    /// The records.
    ///
    /// Empty for an empty message, and nil if there is no message to check.
    let parts: [Part]?
    let tag: TagFacts?
    let links: [Link]
    let length: Int

    init(_ message: NDEFMessage?, on tag: TagFacts?) {
        let parts = message?.records.enumerated().map { index, record in
            Part(number: index + 1, record: record, content: record.content)
        }
        self.parts = parts
        self.tag = tag
        links = parts?.compactMap(\.link) ?? []
        length = message?.length ?? 0
    }

    /// The records, or none if there is no message.
    var records: [Part] { parts ?? [] }

    var apps: [Part] {
        records.filter { if case .app = $0.content { true } else { false } }
    }
}

extension Subject.Part {
    fileprivate var link: Subject.Link? {
        switch content {
        case .uri(let content): Subject.Link(number: number, uri: content.uri, isURIRecord: true)
        case .smartPoster(let poster): Subject.Link(number: number, uri: poster.uri, isURIRecord: false)
        case .absoluteURI(let content): Subject.Link(number: number, uri: content.uri, isURIRecord: false)
        default: nil
        }
    }
}
