// The position of an Android application record — Android, NFC basics, "Android application records"

import NDEF

struct AppRecordOrder: Rule {
    let name = "appRecordOrder"
    let evidence = "https://developer.android.com/develop/connectivity/nfc/nfc"

    func findings(in subject: Subject) -> [Finding] {
        let appNumbers = Set(subject.apps.map(\.number))
        guard let first = appNumbers.min(),
            let behind = subject.records.first(where: { $0.number > first && !appNumbers.contains($0.number) })
        else { return [] }
        guard first == 1 else {
            return [
                finding(
                    .hint, [.android],
                    "The Android application record is before record \(behind.number). Android finds it anywhere, "
                        + "but it is usually last.",
                    advice: "Put it last.", record: first)
            ]
        }
        return [
            finding(
                .warning, [.android],
                "The Android application record is first. Android uses the first record, so the app starts without "
                    + "its data.",
                advice: "Put it last.", record: first)
        ]
    }
}
