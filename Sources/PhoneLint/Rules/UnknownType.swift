// Records without a known type: TNF 5 and 7 — NFC Forum NDEF 1.0, section 3.2.6

import NDEF

/// A payload without a type.
struct UnknownType: Rule {
    let name = "unknownType"
    let evidence = "https://developer.android.com/develop/connectivity/nfc/nfc"

    func findings(in subject: Subject) -> [Finding] {
        subject.records.compactMap { part in
            switch part.record.tnf {
            case .unknown:
                finding(
                    .warning, Phone.allCases, "The record has no type (TNF 5): phones do not handle it.",
                    advice: "Give it one: --mime TYPE=DATA or --external DOMAIN:TYPE=DATA.", record: part.number)
            case .reserved:
                finding(
                    .error, Phone.allCases, "The record's TNF is 7, which is reserved.",
                    advice: "Create it again with a type: --mime TYPE=DATA.", record: part.number)
            case .empty, .wellKnown, .media, .absoluteURI, .external, .unchanged: nil
            }
        }
    }
}
