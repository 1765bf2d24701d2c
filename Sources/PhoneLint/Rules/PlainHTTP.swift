// Web pages that are fetched without encryption

struct PlainHTTP: Rule {
    let name = "plainHTTP"
    let evidence = "NFC Forum URI RTD 1.0, abbreviation table: http:// and https:// are one byte each"

    func findings(in subject: Subject) -> [Finding] {
        subject.links.filter { URIScheme(of: $0.uri)?.name == "http" }.map { link in
            finding(
                .hint, Phone.allCases, "The page is fetched without encryption, and browsers warn about that.",
                advice: "Use https:// if the server supports it. It takes no more bytes.", record: link.number)
        }
    }
}
