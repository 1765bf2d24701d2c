// More URIs than phones open

/// Several URIs, of which phones open only one.
///
/// The others are useful only to apps.
struct SeveralURIs: Rule {
    let name = "severalURIs"
    let evidence = "https://developer.apple.com/documentation/corenfc/adding-support-for-background-tag-reading"

    func findings(in subject: Subject) -> [Finding] {
        guard let first = subject.links.first, let next = subject.links.dropFirst().first else { return [] }
        return [
            finding(
                .hint, Phone.allCases,
                "There are \(subject.links.count) URIs; phones open only one, the one in record \(first.number).",
                advice: "Keep the others only if an app reads them, or link to them from the first one's page.",
                record: next.number)
        ]
    }
}
