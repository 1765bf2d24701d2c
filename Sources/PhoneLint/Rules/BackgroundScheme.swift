// The URI schemes that iPhones open — Apple, Adding support for background tag reading

/// A scheme that iOS does not open from a tag.
struct BackgroundScheme: Rule {
    let name = "backgroundScheme"
    let evidence = "https://developer.apple.com/documentation/corenfc/adding-support-for-background-tag-reading"

    /// The schemes that were seen to work (gist equipter/de2d9e421be9af1615e9b9cad4834ddc, 2024) but are not
    /// documented.
    private static let seen: Set<String> = ["shortcuts"]

    func findings(in subject: Subject) -> [Finding] {
        guard let link = subject.links.first(where: \.isURIRecord), let scheme = URIScheme(of: link.uri),
            !BackgroundLink.schemes.contains(scheme.name)
        else { return [] }
        if Self.seen.contains(scheme.name) {
            return [
                finding(
                    .hint, [.ios], "iPhones open \(scheme.name): from tags, but Apple does not document it.",
                    advice: "Test it on the iPhones you want to support.", record: link.number)
            ]
        }
        return [
            finding(
                .warning, [.ios], "iPhones do not open \(scheme.name): from tags.", advice: Self.advice(for: scheme),
                record: link.number)
        ]
    }

    private static func advice(for scheme: URIScheme) -> String {
        guard scheme.name == "geo" else {
            return "Use the https:// address of a page, or of a universal link of the app (Associated Domains)."
        }
        let place = scheme.rest.prefix { $0 != ";" && $0 != "?" }
        return "Use a map's web address: https://maps.apple.com/?ll=\(place)"
    }
}
