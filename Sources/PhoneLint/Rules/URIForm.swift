// Invalid URIs — RFC 3986

/// An invalid URI.
///
/// It has no scheme, a misspelt scheme, two schemes, nothing after the scheme, no host, invisible characters, or other
/// characters that a URI must not contain.
struct URIForm: Rule {
    let name = "uriForm"
    let evidence = "RFC 3986, sections 2 and 3; RFC 5891 (host names)"

    func findings(in subject: Subject) -> [Finding] { subject.links.compactMap(finding) }

    private func finding(_ link: Subject.Link) -> Finding? {
        let invisible = URIScheme.invisibleCharacters(in: link.uri)
        if !invisible.isEmpty {
            return finding(
                .error, Phone.allCases,
                "The URI contains \(invisible.count == 1 ? "the invisible character" : "invisible characters:") "
                    + "\(invisible.prefix(5).joined(separator: ", ")).",
                advice:
                    "Remove \(invisible.count == 1 ? "it" : "them") from the URI. Such characters can make it look like "
                    + "another one.",
                record: link.number)
        }
        guard let scheme = URIScheme(of: link.uri) else {
            return finding(
                .error, Phone.allCases, "This URI has no scheme; did you mean https://\(link.uri)?",
                advice: "Phones open a URI only if it begins with a scheme such as https:, tel: or mailto:.",
                record: link.number)
        }
        if let meant = scheme.meantScheme {
            return finding(
                .error, Phone.allCases,
                "Phones do not support the scheme \(scheme.name):; did you mean \(meant)\(link.uri.dropFirst(scheme.name.count))?",
                advice: "Correct the scheme.", record: link.number)
        }
        if scheme.rest.isEmpty {
            return finding(
                .error, Phone.allCases, "“\(link.uri)” has nothing after its scheme.",
                advice: "Write the whole URI.", record: link.number)
        }
        if scheme.isWeb, let inner = URIScheme(of: String(scheme.rest)), inner.isWeb {
            return finding(
                .error, Phone.allCases, "“\(link.uri)” has two schemes.",
                advice: "Write only one: \(inner.name)://\(inner.rest)", record: link.number)
        }
        let host = scheme.isWeb ? scheme.host : nil
        if let host, host.isEmpty {
            return finding(
                .error, Phone.allCases, "“\(link.uri)” has no host name, so phones have no page to open.",
                advice: "Write the host name after the two slashes: https://example.com", record: link.number)
        }
        guard !URIScheme.isValid(link.uri) else { return nil }
        if let host, host.utf8.contains(where: { $0 >= 0x80 }) {
            let meant = URIScheme.withASCIIHost(link.uri)
            return finding(
                .warning, Phone.allCases,
                "The host name “\(host)” contains non-ASCII letters" + (meant.map { "; did you mean \($0)?" } ?? "."),
                advice: "Write it in its ASCII form, which begins with xn-- (Punycode). "
                    + "Percent-encoding is not valid there.",
                record: link.number)
        }
        // Suggest percent-encoding only after the host name of a web address. It is not valid in a host name, and other
        // schemes have their own rules.
        let isEncodable = host.map { URIScheme.isValid(String($0)) } ?? false
        let question = isEncodable ? "; did you mean \(URIScheme.percentEncoded(link.uri))?" : "."
        return finding(
            .warning, Phone.allCases,
            "“\(link.uri)” contains characters that a URI must not contain: spaces, letters beyond ASCII, or brackets"
                + question,
            advice: "Percent-encode them: a space is %20.", record: link.number)
    }
}
