// Business cards and calendar entries, each on one line

import Hexadecimal
import NDEF

extension RecordSummary {
    /// Returns the summary of a card or a calendar entry.
    ///
    /// Nil for other media, or if the name is missing.
    static func words(forCard media: MIMERecord) -> Words? {
        let size = [media.mimeType, "\(ByteCount(media.data.count))"]
        switch MediaCard(media) {
        case .contact(let card)?:
            let organizations = card.organizations.filter { $0 != card.name }
            let facts = card.titles + organizations + card.phones + card.emails + card.urls + card.addresses
            return ("Contact", line(card.name), facts.map(line) + size)
        case .event(let event)?:
            let facts = [event.start, event.end, event.location].compactMap(\.self)
            return ("Event", line(event.summary), facts.map(line) + size)
        case nil: return nil
        }
    }

    /// Returns a text on one line, even if it contains line breaks.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
