// Telephone numbers, mail addresses and places that phones cannot use — RFC 3966, RFC 5724, RFC 6068, RFC 5870

import NDEF

/// A number without digits, a mail address without an @, or a place without coordinates.
struct ContactAddress: Rule {
    let name = "contactAddress"
    let evidence = "RFC 3966 (tel), RFC 5724 (sms), RFC 6068 (mailto), RFC 5870 (geo)"

    func findings(in subject: Subject) -> [Finding] { subject.links.compactMap(finding) }

    private func finding(_ link: Subject.Link) -> Finding? {
        guard let scheme = URIScheme(of: link.uri) else { return nil }
        // The part before parameters and headers.
        let address = scheme.rest.prefix { $0 != ";" && $0 != "?" }
        // Another rule reports a URI without anything after the scheme.
        guard !scheme.rest.isEmpty else { return nil }
        switch scheme.name {
        case "tel", "sms", "facetime", "facetime-audio":
            // FaceTime also accepts mail addresses, and `sms:?body=` has no number.
            guard !address.isEmpty, !address.utf8.contains(where: \.isDigit), !address.contains("@") else { return nil }
            return finding(
                .error, Phone.allCases, "“\(address)” is not a telephone number.",
                advice: "Write the number with the country code: \(scheme.name):+491234567", record: link.number)
        case "mailto":
            guard !address.isEmpty, !address.contains("@"), !address.lowercased().contains("%40") else { return nil }
            return finding(
                .error, Phone.allCases, "“\(address)” is not a mail address.",
                advice: "Write the whole address: mailto:name@example.com", record: link.number)
        case "geo":
            guard !Self.isPlace(address) else { return nil }
            return finding(
                .error, Phone.allCases, "“\(scheme.rest)” does not begin with a latitude and a longitude.",
                advice:
                    "Write both in degrees, as in geo:52.52,13.40. The latitude is from -90 to 90, and the longitude "
                    + "from -180 to 180.",
                record: link.number)
        default: return nil
        }
    }

    /// Whether the text contains a latitude, a longitude and, optionally, an altitude.
    private static func isPlace(_ text: Substring) -> Bool {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (2...3).contains(numbers.count), numbers.allSatisfy({ $0?.isFinite == true }), let latitude = numbers[0],
            let longitude = numbers[1]
        else { return false }
        return abs(latitude) <= 90 && abs(longitude) <= 180
    }
}
