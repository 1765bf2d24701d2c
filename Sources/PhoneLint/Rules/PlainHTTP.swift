// Web pages without encryption

/// A link that browsers warn of.
struct PlainHTTP: Rule {
    let name = "plainHTTP"
    let evidence = "NFC Forum URI RTD 1.0, abbreviation table: http:// and https:// are one byte each"

    func findings(in subject: Subject) -> [Finding] {
        subject.links.filter { URIScheme(of: $0.uri)?.name == "http" }.map { link in
            finding(
                .hint, Phone.allCases, "The page is fetched without encryption, of which browsers warn.",
                advice: "Use https:// if the server does: it takes no byte more.", record: link.number)
        }
    }
}
