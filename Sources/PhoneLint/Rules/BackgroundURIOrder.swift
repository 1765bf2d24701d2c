// For an iPhone, the URI should be first — GoToTags, iOS background NFC tag reading

/// A URI record after other records.
///
/// Apple documents that iPhones use it, but others report that they do not.
struct BackgroundURIOrder: Rule {
    let name = "backgroundURIOrder"
    let evidence = "https://learn.gototags.com/nfc/software/iphone/reading/background"

    func findings(in subject: Subject) -> [Finding] {
        guard let link = subject.links.first(where: \.isURIRecord), link.number > 1 else { return [] }
        return [
            finding(
                .warning, [.ios],
                "The URI is record \(link.number). Apple says that iPhones use the first URI record; others say that "
                    + "they look at the first record only.",
                advice: "Put the URI first.", record: link.number)
        ]
    }
}
