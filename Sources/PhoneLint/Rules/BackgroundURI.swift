// iPhones open only the first URI record — Apple, Adding support for background tag reading

import NDEF

/// A message in which an iPhone finds nothing to open automatically.
struct BackgroundURI: Rule {
    let name = "backgroundURI"
    let evidence = "https://developer.apple.com/documentation/corenfc/adding-support-for-background-tag-reading"

    private static let cards: Set<String> = ["text/vcard", "text/x-vcard"]

    func findings(in subject: Subject) -> [Finding] {
        guard !subject.records.isEmpty, !subject.links.contains(where: \.isURIRecord) else { return [] }
        // The first record that is neither an application record nor empty, or nil if there is none.
        let topic = subject.records.first {
            switch $0.content {
            case .app, .empty: false
            default: true
            }
        }
        guard let part = topic ?? subject.records.first, let (message, advice) = Self.words(for: part.content) else {
            return []
        }
        return [finding(.warning, [.ios], message, advice: advice, record: part.number)]
    }

    func isAboutText(_ finding: Finding, in subject: Subject) -> Bool {
        guard finding.rule == name else { return false }
        return subject.records.contains { part in
            guard part.number == finding.record, case .text = part.content else { return false }
            return true
        }
    }

    private static func words(for content: RecordContent) -> (message: String, advice: String)? {
        switch content {
        case .smartPoster(let poster):
            (
                "iPhones look for a URI record (type U); this URI is inside a smart poster.",
                "Write --uri \(poster.uri) instead of it, or before it."
            )
        case .absoluteURI(let content):
            (
                "iPhones look for a URI record (type U); this is an absolute URI record (TNF 3).",
                "Write --uri \(content.uri) instead."
            )
        case .text: ("iPhones ignore Text records, unless an app scans for them.", "Put a URI record first.")
        case .wifi:
            (
                "iPhones ignore Wi-Fi records.",
                "For iPhones, print a Wi-Fi QR code next to the tag."
            )
        case .mime(let media) where cards.contains(media.mimeType.lowercased()):
            (
                "iPhones ignore business cards on tags.",
                "Put the card on the web as a .vcf file and write its URI before it, or instead of it."
            )
        case .handover, .handoverCarrier, .bluetooth:
            (
                "iPhones do not pair with devices through tags.",
                "As the first record, add the URI of a page that explains how to pair."
            )
        case .mime, .external, .signature, .deviceInformation, .other, .unknown:
            (
                "iPhones ignore data of this type, unless an app scans for it.",
                "If the app has a universal link, put that URI first."
            )
        case .app: ("iPhones ignore Android application records.", "Put a URI record before it.")
        // Other rules report records of these kinds.
        case .empty, .malformed, .uri: nil
        }
    }
}
