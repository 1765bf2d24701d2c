// Business cards and calendar entries — RFC 6350 (vCard), RFC 5545 (iCalendar)

import NDEF

/// The fields of a media record that is a business card or a calendar entry.
enum MediaCard {
    case contact(ContactCard), event(CalendarEvent)

    /// Decodes a card or a calendar entry.
    ///
    /// Returns nil for other media, and for a card or an entry without a name.
    init?(_ media: MIMERecord) {
        guard let text = media.text, text.utf8.count <= Self.longest else { return nil }
        switch media.mimeType.lowercased() {
        case "text/vcard", "text/x-vcard":
            guard let card = ContactCard(ContentLines(text)) else { return nil }
            self = .contact(card)
        case "text/calendar":
            guard let event = CalendarEvent(ContentLines(text)) else { return nil }
            self = .event(event)
        default: return nil
        }
    }

    /// The maximum length of a text that is parsed, in bytes.
    ///
    /// Only cards with pictures are longer, and no tag holds such a card.
    private static let longest = 1 << 16
}

/// A person or an organisation, and its JSON form.
struct ContactCard: Encodable {
    /// The name to show.
    ///
    /// This is the formatted name or, if there is none, the name's components or the organisation.
    let name: String
    let familyName: String?
    let givenName: String?
    let organizations: [String]
    let titles: [String]
    let phones: [String]
    let emails: [String]
    let urls: [String]
    let addresses: [String]
    let notes: [String]

    /// Decodes the first card in a text, or returns nil if there is no card with a name.
    init?(_ lines: ContentLines) {
        guard lines.begins("VCARD"), let card = lines.component("VCARD") else { return nil }
        // N: family name, given name, further names, prefixes, suffixes — RFC 6350, section 6.2.2
        let names = card.lists("N").first ?? []
        organizations = card.lists("ORG").map { Self.joined($0, ", ") }
        guard let name = card.texts("FN").first ?? (names.isEmpty ? organizations.first : Self.joined(names, " "))
        else { return nil }
        self.name = name
        familyName = Self.part(0, of: names)
        givenName = Self.part(1, of: names)
        titles = card.texts("TITLE")
        // vCard 4.0 may write a phone number as a URI.
        phones = card.texts("TEL").map { $0.lowercased().hasPrefix("tel:") ? String($0.dropFirst(4)) : $0 }
        emails = card.texts("EMAIL")
        urls = card.texts("URL")
        addresses = card.lists("ADR").map { Self.joined($0, ", ") }
        notes = card.texts("NOTE")
    }

    private static func part(_ index: Int, of components: [String]) -> String? {
        components.count > index && !components[index].isEmpty ? components[index] : nil
    }

    private static func joined(_ components: [String], _ separator: String) -> String {
        components.filter { !$0.isEmpty }.joined(separator: separator)
    }
}

/// An event of a calendar, and its JSON form.
struct CalendarEvent: Encodable {
    let summary: String
    /// The start as the calendar gives it, for example `20260101T120000Z`, or `20260101` for a whole day.
    ///
    /// Nil if the calendar does not give it. The same applies to the end.
    let start: String?
    let end: String?
    /// The time zone of the start, or nil if the calendar does not name one.
    let timeZone: String?
    let location: String?
    let description: String?
    let url: String?

    /// Decodes the first event in a text, or returns nil if there is no event with a summary.
    init?(_ lines: ContentLines) {
        guard lines.begins("VCALENDAR"), let event = lines.component("VEVENT"),
            let summary = event.texts("SUMMARY").first
        else { return nil }
        self.summary = summary
        start = event.texts("DTSTART").first
        end = event.texts("DTEND").first
        timeZone = event.parameter("TZID", of: "DTSTART")
        location = event.texts("LOCATION").first
        description = event.texts("DESCRIPTION").first
        url = event.texts("URL").first
    }
}
