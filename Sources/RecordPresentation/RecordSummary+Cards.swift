// Business cards and calendar entries in a line — RFC 6350 (vCard), RFC 5545 (iCalendar)

import Hexadecimal
import NDEF

extension RecordSummary {
    /// The summary of a card or a calendar entry; nil for other media, and for one without a name.
    static func words(forCard media: MIMERecord) -> Words? {
        guard let text = media.text, text.utf8.count <= longestCard else { return nil }
        let size = [media.mimeType, "\(ByteCount(media.data.count))"]
        let card = ContentLines(text)
        switch media.mimeType.lowercased() {
        case "text/vcard", "text/x-vcard":
            guard card.begins("VCARD"), let name = card["FN"] ?? card["N"] ?? card["ORG"] else { return nil }
            return ("Contact", name, ["TITLE", "ORG", "TEL", "EMAIL", "URL", "ADR"].flatMap(card.all) + size)
        case "text/calendar":
            guard card.begins("VCALENDAR"), let event = card["SUMMARY"] else { return nil }
            return ("Event", event, ["DTSTART", "DTEND", "LOCATION"].flatMap(card.all) + size)
        default: return nil
        }
    }

    /// The maximum size in bytes of a card to parse; only cards with pictures are larger than what tags hold.
    private static let longestCard = 1 << 16
}

/// The content lines of RFC 6350, section 3.2: `NAME;PARAMETER=…:value`, continued on lines that begin with a space.
private struct ContentLines {
    private let lines: [Substring]

    init(_ text: String) {
        // Some programs on Windows put a byte order mark before the card.
        let unmarked = String(text.unicodeScalars.trimmingPrefix("\u{FEFF}".unicodeScalars))
        let unfolded = unmarked.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        lines = unfolded.split(separator: "\n")
    }

    func begins(_ component: String) -> Bool { lines.first?.uppercased() == "BEGIN:" + component }

    /// The value of the first property with this name; nil if there is none.
    subscript(name: String) -> String? { all(name).first }

    /// The values of the properties with this name, without escapes; empty ones are left out.
    func all(_ name: String) -> [String] {
        lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            // The name may have a group and parameters: `item1.TEL;TYPE=work:…`.
            let property = line[..<colon].prefix { $0 != ";" }.split(separator: ".").last ?? ""
            guard property.uppercased() == name else { return nil }
            let value = Self.unescaped(line[line.index(after: colon)...])
            return value.isEmpty ? nil : value
        }
    }

    /// The text without escapes, with the components between `;` joined by spaces.
    private static func unescaped(_ value: Substring) -> String {
        var (text, isEscaped) = ("", false)
        for letter in value {
            switch letter {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "n" where isEscaped, "N" where isEscaped: text += " "
            case ";" where !isEscaped: text += " "
            default: text.append(letter)
            }
            isEscaped = false
        }
        return text.split(separator: " ").joined(separator: " ")
    }
}
