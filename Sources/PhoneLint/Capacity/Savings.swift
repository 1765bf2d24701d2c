// How a message can be shortened, and by how much — NFC Forum NDEF 1.0; URI, Text and Smart Poster RTD 1.0

public import NDEF

extension Saving {
    /// Returns all ways to shorten a message, largest saving first.
    ///
    /// `storedLength` is the present length in bytes. If it is greater than the length of the shortest encoding,
    /// writing the message again is one of the ways. If `storedLength` is nil, this way is left out.
    public static func all(in message: NDEFMessage, storedLength: Int? = nil) -> [Saving] {
        var savings: [Saving] = []
        if let surplus = storedLength.map({ $0 - message.length }), surplus > 0 {
            savings.append(
                Saving(
                    kind: .shortRecords, bytes: surplus,
                    advice: "Write the message again: its records are chunked, or have longer headers than they need.",
                    record: nil))
        }
        for (index, record) in message.records.enumerated() {
            savings += Record(number: index + 1, record: record, in: message.records).savings
        }
        return savings.filter { $0.bytes > 0 }.enumerated()
            .sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
    }
}

/// A record, and the shorter records of the same or nearly the same meaning with which it is compared.
private struct Record {
    let number: Int
    let record: NDEFRecord
    let records: [NDEFRecord]

    init(number: Int, record: NDEFRecord, in records: [NDEFRecord]) {
        self.number = number
        self.record = record
        self.records = records
    }

    var savings: [Saving] {
        if records.prefix(number - 1).contains(record) {
            return [saving(.duplicate, dropping: record, "Drop the record: it repeats an earlier one.")]
        }
        var savings = contentSavings
        if !record.identifier.isEmpty, !isReferredTo {
            var bare = record
            bare.identifier = []
            savings.append(
                Saving(
                    kind: .identifier, bytes: record.encodedLength - bare.encodedLength,
                    advice: "Drop the record's ID, unless another record refers to it.", record: number))
        }
        return savings
    }

    /// Whether a handover record of the message refers to the record by its ID — Connection Handover 1.5, section 6.3.
    private var isReferredTo: Bool {
        records.contains {
            guard case .handover(let handover) = $0.content else { return false }
            return handover.carriers.contains { ([$0.reference] + $0.auxiliary).contains(record.identifier) }
        }
    }

    private var contentSavings: [Saving] {
        switch record.content {
        case .uri(let content): uriSavings(content)
        case .absoluteURI(let content) where content.data.isEmpty:
            [
                saving(
                    .absoluteURI, URIRecord(uri: content.uri).record(), "Write it as a URI record: --uri \(content.uri)"
                )
            ]
        case .smartPoster(let poster): posterSavings(poster)
        case .text(let text): textSavings(text)
        case .empty where records.count > 1: [saving(.emptyRecord, dropping: record, "Drop the empty record.")]
        case .app where records.count > 1:
            [
                saving(
                    .appRecord, dropping: record,
                    "Drop the Android application record, if a URI of the app is enough. Android then does not offer "
                        + "to install the app."
                )
            ]
        default: []
        }
    }

    private func uriSavings(_ content: URIRecord) -> [Saving] {
        let shortest = content.record()
        let prefixed = saving(
            .uriPrefix, shortest,
            "Write the URI again: the RTD's abbreviation table shortens its beginning to one byte.")
        guard let bare = Self.withoutTrailingSlash(content.uri) else { return [prefixed] }
        // Count the slash separately, in addition to the saving from the prefix.
        let gain = shortest.encodedLength - URIRecord(uri: bare).record().encodedLength
        return [
            prefixed,
            Saving(
                kind: .trailingSlash, bytes: gain, advice: "Write it without the last slash: \(bare)", record: number),
        ]
    }

    private func posterSavings(_ poster: SmartPosterRecord) -> [Saving] {
        var savings = [
            saving(
                .smartPoster, URIRecord(uri: poster.uri).record(),
                "Write only the URI. Then iPhones also open it: --uri \(poster.uri)")
        ]
        var untitled = poster
        untitled.titles = []
        if !poster.titles.isEmpty, let shorter = try? untitled.record() {
            savings.append(
                saving(
                    .posterTitles, shorter, "Drop the smart poster's \(poster.titles.count == 1 ? "title" : "titles").")
            )
        }
        return savings
    }

    private func textSavings(_ text: TextRecord) -> [Saving] {
        var savings: [Saving] = []
        var other = text
        other.encoding = text.encoding == .utf8 ? .utf16 : .utf8
        if let shorter = try? other.record() {
            let name = other.encoding == .utf8 ? "UTF-8" : "UTF-16"
            savings.append(saving(.textEncoding, shorter, "Store the text as \(name)."))
        }
        var plain = text
        plain.language = String(text.language.prefix { $0 != "-" })
        if plain.language != text.language, let shorter = try? plain.record() {
            savings.append(
                saving(.textLanguage, shorter, "Shorten the language to “\(plain.language)”: --lang \(plain.language)"))
        }
        return savings
    }

    private func saving(_ kind: Saving.Kind, _ shorter: NDEFRecord, _ advice: String) -> Saving {
        // Whether the ID can be removed is checked separately.
        var shorter = shorter
        shorter.identifier = record.identifier
        return Saving(kind: kind, bytes: record.encodedLength - shorter.encodedLength, advice: advice, record: number)
    }

    private func saving(_ kind: Saving.Kind, dropping dropped: NDEFRecord, _ advice: String) -> Saving {
        Saving(kind: kind, bytes: dropped.encodedLength, advice: advice, record: number)
    }

    /// Returns the URI without a final slash: `https://host/` is the same page as `https://host` — RFC 3986, section
    /// 6.2.3.
    private static func withoutTrailingSlash(_ uri: String) -> String? {
        for scheme in ["http://", "https://"] where uri.lowercased().hasPrefix(scheme) {
            let rest = uri.dropFirst(scheme.count)
            guard rest.count > 1, rest.firstIndex(of: "/") == rest.indices.last else { return nil }
            return String(uri.dropLast())
        }
        return nil
    }
}
