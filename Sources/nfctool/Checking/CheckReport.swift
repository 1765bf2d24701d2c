// What `ndef check` found, and its JSON form — Docs/JSON.md, ndef check

import NDEF
import ReaderInterface
import PhoneLint
import SafeTag
import TagTypes

/// A message, or a tag with or without one, and what phones make of it.
struct Check: Sendable {
    /// The tag, where there is one.
    let tag: TagReading?
    /// The message; nil when the tag has none to read.
    let message: NDEFMessage?
    /// Its length in bytes, as found.
    let length: Int
    let findings: [Finding]
    let fits: [TagFit]
    let savings: [Saving]

    /// Judges a message.
    init(_ message: NDEFMessage, storedLength: Int, by lint: PhoneLint) {
        self.init(tag: nil, message: message, length: storedLength, findings: lint.findings(in: message))
    }

    /// Judges a tag.
    ///
    /// - Throws: ``NDEFError`` when its message is none.
    init(_ found: CheckedTag, of target: Target, on reader: String, by lint: PhoneLint) throws {
        let message = try found.bytes.map { $0.isEmpty ? NDEFMessage(records: []) : try NDEFMessage(bytes: $0) }
        let reading = TagReading(
            reader: reader, target: target, chip: found.chip, state: found.state, bytes: found.bytes ?? [],
            message: message ?? NDEFMessage(records: []))
        self.init(
            tag: reading, message: message, length: found.bytes?.count ?? 0,
            findings: lint.findings(in: message, on: found.facts))
    }

    private init(tag: TagReading?, message: NDEFMessage?, length: Int, findings: [Finding]) {
        self.tag = tag
        self.message = message
        self.length = length
        self.findings = findings
        fits = message == nil ? [] : TagFit.all(forLength: length)
        savings = message.map { Saving.all(in: $0, storedLength: length) } ?? []
    }
}

/// The JSON form of a check.
struct CheckReport: Encodable {
    private let schema = 1
    private let uid: String?
    private let chip: String?
    private let messageLength: Int
    private let findings: [FindingReport]
    private let fits: [FitReport]
    private let savings: [SavingReport]

    init(_ check: Check) {
        uid = check.tag?.uid
        chip = check.tag?.name
        messageLength = check.length
        findings = check.findings.map(FindingReport.init)
        fits = check.fits.map(FitReport.init)
        savings = check.savings.map(SavingReport.init)
    }

    private enum CodingKeys: String, CodingKey {
        case schema, uid, chip, messageLength, findings, fits, savings
    }
}

private struct FindingReport: Encodable {
    let rule: String
    let severity: String
    let phone: [String]
    let message: String
    let advice: String
    let record: Int?
    let evidence: String

    init(_ finding: Finding) {
        rule = finding.rule
        severity = finding.severity.rawValue
        phone = finding.phones.map(\.rawValue)
        message = finding.message
        advice = finding.advice
        record = finding.record
        evidence = finding.evidence
    }
}

private struct FitReport: Encodable {
    let chip: String
    let capacity: Int
    let fits: Bool
    let spare: Int

    init(_ fit: TagFit) {
        chip = fit.tag.chip
        capacity = fit.tag.capacity
        fits = fit.fits
        spare = fit.spare
    }
}

private struct SavingReport: Encodable {
    let kind: String
    let bytes: Int
    let advice: String
    let record: Int?

    init(_ saving: Saving) {
        kind = saving.kind.rawValue
        bytes = saving.bytes
        advice = saving.advice
        record = saving.record
    }
}
