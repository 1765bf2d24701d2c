// Invalid URIs — RFC 3986

/// A URI with no scheme, a misspelt scheme or two schemes, with nothing after it, or with characters that must be
/// escaped.
struct URIForm: Rule {
    let name = "uriForm"
    let evidence = "RFC 3986, sections 2 and 3.1"

    private static let web: Set<String> = ["http", "https"]

    func findings(in subject: Subject) -> [Finding] { subject.links.compactMap(finding) }

    private func finding(_ link: Subject.Link) -> Finding? {
        guard let scheme = URIScheme(of: link.uri) else {
            return finding(
                .error, Phone.allCases, "This URI has no scheme; did you mean https://\(link.uri)?",
                advice: "Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
                record: link.number)
        }
        if let meant = scheme.meantScheme {
            return finding(
                .error, Phone.allCases,
                "Phones do not know the scheme \(scheme.name):; did you mean \(meant)\(link.uri.dropFirst(scheme.name.count))?",
                advice: "Correct the scheme.", record: link.number)
        }
        if scheme.rest.isEmpty {
            return finding(
                .error, Phone.allCases, "“\(link.uri)” has nothing after its scheme.",
                advice: "Write the whole URI.", record: link.number)
        }
        if Self.web.contains(scheme.name), let inner = URIScheme(of: String(scheme.rest)), Self.web.contains(inner.name)
        {
            return finding(
                .error, Phone.allCases, "“\(link.uri)” has two schemes.",
                advice: "Write it once: \(inner.name)://\(inner.rest)", record: link.number)
        }
        guard !URIScheme.isValid(link.uri) else { return nil }
        return finding(
            .warning, Phone.allCases,
            "“\(link.uri)” contains characters that a URI must not contain: spaces, letters beyond ASCII, or brackets.",
            advice: "Percent-encode them: a space is %20.", record: link.number)
    }
}
