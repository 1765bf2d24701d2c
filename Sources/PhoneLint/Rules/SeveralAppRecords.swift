// More than one Android application record — Android, NdefRecord.createApplicationRecord

/// Several application records.
///
/// Android tries the apps in order, and offers only the first one for installation.
struct SeveralAppRecords: Rule {
    let name = "severalAppRecords"
    let evidence =
        "https://developer.android.com/reference/android/nfc/NdefRecord#createApplicationRecord(java.lang.String)"

    func findings(in subject: Subject) -> [Finding] {
        guard let second = subject.apps.dropFirst().first else { return [] }
        return [
            finding(
                .hint, [.android],
                "There are \(subject.apps.count) Android application records: Android starts the first one that is "
                    + "installed, and offers only the first one for installation.",
                advice: "Keep one, unless you want this.", record: second.number)
        ]
    }
}
