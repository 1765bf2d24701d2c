// The JSON form of the result of `ndef check` — Docs/JSON.md, ndef check

import PhoneLint
import SafeTag

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
