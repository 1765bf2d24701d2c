// The language of a Text record — NFC Forum Text RTD 1.0; RFC 5646

import NDEF

/// A Text record with an invalid language code.
struct TextLanguage: Rule {
    let name = "textLanguage"
    let evidence = "NFC Forum Text RTD 1.0, language codes; RFC 5646, section 2.1"

    func findings(in subject: Subject) -> [Finding] {
        subject.records.flatMap { part -> [Finding] in
            let texts: [TextRecord] =
                switch part.content {
                case .text(let text): [text]
                case .smartPoster(let poster): poster.titles
                default: []
                }
            return texts.filter { !Self.isTag($0.language) }.map { text in
                let fault = text.language.isEmpty ? "no language" : "the invalid language “\(text.language)”"
                return finding(
                    .hint, Phone.allCases, "The text has \(fault); phones use the language to choose a text.",
                    advice: "Give it one: --lang en.", record: part.number)
            }
        }
    }

    /// Whether a code consists of subtags of 1 to 8 letters and digits, and its first subtag has 2 to 8 letters.
    private static func isTag(_ language: String) -> Bool {
        let subtags = language.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = subtags.first, (2...8).contains(first.count), first.allSatisfy(\.isLetter) else {
            return false
        }
        return subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { $0.isLetter || $0.isNumber } }
    }
}
