// Cards and calendars begin with a fixed word — RFC 2426, section 4; RFC 5545, section 3.4

import NDEF

/// Data whose type is that of a card or calendar, but whose content is neither.
struct MediaForm: Rule {
    let name = "mediaForm"
    let evidence = "RFC 2426, section 4; RFC 5545, section 3.4"

    /// The word with which the data of each type begins.
    ///
    /// It may be in upper or lower case.
    private static let beginnings = [
        "text/vcard": "BEGIN:VCARD", "text/x-vcard": "BEGIN:VCARD", "text/calendar": "BEGIN:VCALENDAR",
    ]

    func findings(in subject: Subject) -> [Finding] {
        subject.records.compactMap { part in
            guard case .mime(let media) = part.content, let word = Self.beginnings[media.mimeType.lowercased()] else {
                return nil
            }
            guard !Self.begins(media.data, with: word) else {
                guard media.data.starts(with: Self.byteOrderMark) else { return nil }
                return finding(
                    .warning, [.ios, .android],
                    "There is a byte order mark before \(word), so phones may not recognise this data.",
                    advice: "Write the file with --vcard @FILE or --calendar @FILE, which remove the mark.",
                    record: part.number)
            }
            return finding(
                .error, [.ios, .android],
                "\(media.mimeType) must begin with \(word); phones find nothing in this data.",
                advice: "Write a complete card or calendar, or create a card from its fields: --vcard 'name=…;tel=…'.",
                record: part.number)
        }
    }

    /// The byte order mark that some Windows programs put before UTF-8 text.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether data begins with a word, with or without a byte order mark before it.
    private static func begins(_ data: [UInt8], with word: String) -> Bool {
        let text = data.dropFirst(data.starts(with: byteOrderMark) ? byteOrderMark.count : 0).drop {
            [0x20, 0x09, 0x0D, 0x0A].contains($0)
        }
        return String(decoding: text.prefix(word.utf8.count), as: UTF8.self).uppercased() == word
    }
}
