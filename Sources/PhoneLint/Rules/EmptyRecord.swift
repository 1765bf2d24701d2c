// Empty records (TNF 0) — NFC Forum NDEF 1.0, section 3.2.6

import NDEF

/// An empty record, in which phones find nothing to open.
///
/// Android uses only the first record.
struct EmptyRecord: Rule {
    let name = "emptyRecord"
    let evidence = "https://developer.android.com/develop/connectivity/nfc/nfc"

    func findings(in subject: Subject) -> [Finding] {
        subject.records.filter { $0.content == .empty }.map { part in
            if subject.records.count == 1 {
                return finding(
                    .warning, Phone.allCases, "The only record is empty: phones have nothing to open.",
                    advice: "This is fine for a tag that gets its data later. Otherwise, write a URI.",
                    record: part.number)
            }
            return part.number == 1
                ? finding(
                    .warning, [.android], "The first record is empty, and Android uses the first record.",
                    advice: "Drop it.", record: part.number)
                : finding(
                    .hint, Phone.allCases, "The record is empty: it takes 3 bytes, and phones ignore it.",
                    advice: "Drop it.", record: part.number)
        }
    }
}
