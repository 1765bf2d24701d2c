// A message without records

/// An empty message.
///
/// iPhones report error 403 to apps, and no phone opens anything.
struct EmptyMessage: Rule {
    let name = "emptyMessage"
    let evidence = "https://github.com/okadan/flutter-nfc-manager/issues/231"

    func findings(in subject: Subject) -> [Finding] {
        guard let parts = subject.parts, parts.isEmpty, subject.tag?.status != .notSupported else { return [] }
        return [
            finding(
                .error, Phone.allCases,
                "The message is empty: phones have nothing to open, and iOS apps get error 403.",
                advice:
                    "Write a record, for example --uri https://example.com, or --empty for an empty record.")
        ]
    }
}
