// A rule about phones, and what the rules are applied to

import NDEF

/// A known requirement of phones.
protocol Rule: Sendable {
    /// The name in lowerCamelCase; scripts may rely on it.
    var name: String { get }
    /// The source of the rule.
    var evidence: String { get }
    /// The violations of the rule, for all phones; the caller selects the phones.
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

/// A message, a tag, or a tag with its message; each record is decoded once.
struct Subject: Sendable {
    /// A record and its number.
    struct Part: Sendable {
        /// The number, starting at 1.
        let number: Int
        let record: NDEFRecord
        let content: RecordContent
    }

    /// A URI that a record asks the phone to open.
    struct Link: Hashable, Sendable {
        /// The number of the record.
        let number: Int
        let uri: String
        /// Whether the record is of type `U`, as opposed to a smart poster or a record with TNF 3.
        let isURIRecord: Bool
    }

    /// The records; empty for an empty message, nil if there is no message to check.
    let parts: [Part]?
    let tag: TagFacts?
    /// The URIs in order.
    let links: [Link]
    /// The length of the message in bytes.
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

    /// The records; empty if there is no message.
    var records: [Part] { parts ?? [] }

    /// The Android application records.
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
