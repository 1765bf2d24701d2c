// Web addresses that no browser opens, or that lead somewhere else than they seem to — RFC 3986, section 3.2

import NDEF

/// A web address with an impossible host name or port, or with a user name before the host.
struct WebAddress: Rule {
    let name = "webAddress"
    let evidence = "RFC 3986, section 3.2 (user, host and port); RFC 1035, section 2.3.4 (length of names)"

    /// The maximum lengths of a part of a host name, and of the whole name, in bytes.
    private static let (longestLabel, longestName) = (63, 253)

    func findings(in subject: Subject) -> [Finding] {
        subject.links.flatMap { link -> [Finding] in
            guard let scheme = URIScheme(of: link.uri), scheme.isWeb else { return [] }
            return [
                hostFinding(scheme, link.number), portFinding(scheme, link.number), userFinding(scheme, link.number),
            ]
            .compactMap(\.self)
        }
    }

    private func hostFinding(_ scheme: URIScheme, _ record: Int) -> Finding? {
        let host = scheme.host
        // Non-ASCII names are reported by another rule. An IPv6 address is in brackets.
        guard !host.isEmpty, !host.hasPrefix("["), host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        // A dot at the end stands for the root of the name system.
        let name = host.hasSuffix(".") ? host.dropLast() : host
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isTooLong = name.utf8.count > Self.longestName || labels.contains { $0.utf8.count > Self.longestLabel }
        guard isTooLong || labels.contains(where: \.isEmpty) else { return nil }
        let (problem, advice) =
            isTooLong
            ? (
                "is too long",
                "A name has at most \(Self.longestName) characters, \(Self.longestLabel) between two dots."
            )
            : ("has an extra dot", "Remove the extra dot.")
        return finding(
            .error, Phone.allCases, "The host name “\(host)” \(problem), so phones cannot open the page.",
            advice: advice, record: record)
    }

    private func portFinding(_ scheme: URIScheme, _ record: Int) -> Finding? {
        guard let port = scheme.port, !port.isEmpty, UInt16(port) == nil || !port.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return finding(
            .error, Phone.allCases, "“\(port)” is not a port, so phones cannot open the page.",
            advice: "A port is a number up to 65535. Omit it, unless the server uses an unusual port.", record: record)
    }

    private func userFinding(_ scheme: URIScheme, _ record: Int) -> Finding? {
        guard let user = scheme.user, !user.isEmpty else { return nil }
        guard !user.contains(":") else {
            return finding(
                .warning, Phone.allCases,
                "The part before the @ is a user name and a password, which everyone can read from the tag.",
                advice: "Remove it: \(scheme.withoutUser)", record: record)
        }
        return finding(
            .warning, Phone.allCases,
            "The page is on “\(scheme.host)”. The part “\(user)” before the @ is only a user name.",
            advice: "Remove the user name, unless the server needs it.", record: record)
    }
}
