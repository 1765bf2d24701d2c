// A rule of phones, and what rules look at

import NDEF

/// One thing that phones are known to need.
protocol Rule: Sendable {
    /// Its name in lowerCamel, which scripts may rely on.
    var name: String { get }
    /// Where it is known from.
    var evidence: String { get }
    /// Where the subject breaks it; for all phones, the caller picks.
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
    /// A record with its place.
    struct Part: Sendable {
        /// From 1.
        let number: Int
        let record: NDEFRecord
        let content: RecordContent
    }

    /// A URI that a record wants opened.
    struct Link: Hashable, Sendable {
        /// The record's number.
        let number: Int
        let uri: String
        /// Whether it is a record of type `U`, not a Smart Poster or of TNF 3.
        let isURIRecord: Bool
    }

    /// The records; nil when there is no message to look at, not when it is empty.
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

    /// The records, none when there is no message.
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
