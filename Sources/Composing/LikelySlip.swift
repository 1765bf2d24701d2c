// Values of record options that could form a record, but almost certainly not the intended one

/// The reason why the value of a record option is refused although it could form a record.
struct LikelySlip {
    /// Full sentences that say what is wrong and what to write instead.
    let reason: String

    /// Checks the value of an option, and returns nil if it looks correct.
    init?(_ option: RecordOption) {
        let reason: String? =
            switch option.name {
            case .text: Self.emptiness(of: option.value, "text")
            case .vcard, .calendar, .mime: Self.slip(inDataOf: option)
            case .uri, .smartPoster: Self.slip(inURI: option.value, option.name)
            case .tel, .mail, .sms, .geo: Self.doubledScheme(option)
            default: nil
            }
        guard let reason else { return nil }
        self.reason = reason
    }

    /// Returns the reason for refusing an empty value, or nil for any other value.
    ///
    /// An empty shell variable must not replace the message on a tag.
    private static func emptiness(of value: String, _ what: String) -> String? {
        value.isEmpty ? "The \(what) is empty. --empty writes an empty record." : nil
    }

    private static func slip(inDataOf option: RecordOption) -> String? {
        guard let data = RecordComposer.data(in: option.value, of: option.name) else { return nil }
        let what = [.vcard: "card", .calendar: "calendar"][option.name] ?? "data"
        if let reason = emptiness(of: data, what) { return reason }
        // If the file exists, the missing @ is reported later, when the data is read.
        guard option.data.contains(.file), !DataArgument.namesFile(data, of: option), !DataArgument.isFile(data),
            !data.contains(where: \.isNewline)
        else { return nil }
        let isCalendar = data.lowercased().hasSuffix(".ics")
        if isCalendar || data.lowercased().hasSuffix(".vcf") {
            return
                "\(data) is not a \(isCalendar ? "calendar" : "business card"). To read a file, write @ before its name: @\(data)"
        }
        // Every line of a vCard has a colon.
        guard option.name == .vcard, !data.contains(":"), !BusinessCard.isFields(data) else { return nil }
        return "\(data) is not a business card. Did you mean name=\(data)?"
    }

    private static func slip(inURI uri: String, _ name: RecordOption.Name) -> String? {
        if let reason = emptiness(of: uri, "URI") ?? slip(inSpacesOf: uri, name) { return reason }
        let scheme = uri.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()), scheme.endIndex < uri.endIndex else { return nil }
        let rest = uri[scheme.endIndex...].dropFirst()
        guard !rest.hasPrefix("//"), let start = rest.firstIndex(where: { $0 != "/" }) else { return nil }
        return "Two slashes belong after \(scheme):. Did you mean \(scheme)://\(rest[start...])?"
    }

    /// Returns the reason for refusing a URI with white space, or nil for any other URI.
    private static func slip(inSpacesOf uri: String, _ name: RecordOption.Name) -> String? {
        // Nearly all URIs contain only visible ASCII, and the check of each character is slow in a long plan.
        guard !uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let trimmed = uri.drop(while: \.isWhitespace)
        let core = String(trimmed.reversed().drop(while: \.isWhitespace).reversed())
        if let reason = emptiness(of: core, "URI") { return reason }
        if core != uri { return "There is a space before or after the URI. Without it: \(name.option) '\(core)'" }
        return uri.firstIndex(where: \.isWhitespace).map { blank in
            "There is a space after “\(uri[..<blank])”, but a URI has no spaces. End the quotes there, or write %20 for the space."
        }
    }

    /// Returns the reason for refusing a value that begins with a scheme that the option itself adds.
    ///
    /// Nil for any other value.
    private static func doubledScheme(_ option: RecordOption) -> String? {
        let scheme = option.name == .mail ? "mailto:" : "\(option.name.rawValue):"
        guard option.value.lowercased().hasPrefix(scheme) else { return nil }
        let rest = option.value.dropFirst(scheme.count)
        return "\(option.name.option) adds \(scheme) itself. Leave it out: \(option.name.option) '\(rest)'"
    }
}
