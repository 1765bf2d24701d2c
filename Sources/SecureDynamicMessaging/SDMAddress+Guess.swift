// Splits a URL without a template, by recognising the values in its query by their lengths

extension SDMAddress {
    /// Returns all ways to split a URL without a template, most likely first.
    ///
    /// Two values of the same length may have either order, and the tag may not have filled in every value. Only the
    /// keys show which split is right. For this, see ``SDMTap/verified(_:_:)``.
    /// - Throws: ``SDMError/incomplete(missing:)``; ``SDMError/misshapenMAC(name:digits:)``.
    static func candidates(_ address: String) throws(SDMError) -> [SDMAddress] {
        guard let query = query(of: address) else { throw .incomplete(missing: .mac) }
        let items = query.split(separator: "&", omittingEmptySubsequences: false)
        let guesses = Self.guesses(items.map { digits(in: $0) })
        guard guesses.contains(where: { $0.values.contains(.mac) }) else {
            if let (name, digits) = misshapenMAC(in: query) { throw .misshapenMAC(name: name, digits: digits) }
            throw .incomplete(missing: .mac)
        }
        var found: [SDMAddress] = []
        for guess in guesses where isComplete(guess) {
            let text = items.indices.map { placeholder(guess[$0], in: items[$0]) }.joined(separator: "&")
            let template = "\(address[..<query.startIndex])\(text)\(address[query.endIndex...])"
            found.append(try SDMAddress(address, template: SDMTemplate(template)))
        }
        guard !found.isEmpty else { throw .incomplete(missing: .picc) }
        return found
    }

    private typealias Guess = [Int: SDMPart]

    /// The maximum number of values in a query for which meanings are tried.
    ///
    /// It limits the number of guesses to a few hundred.
    private static let mostValues = 16

    private static func guesses(_ digits: [Int?]) -> [Guess] {
        let places = digits.indices.filter { place in
            digits[place].map { !parts($0, besides: []).isEmpty } ?? false
        }
        var guesses: [Guess] = [[:]]
        for place in places.prefix(mostValues) {
            guard let count = digits[place] else { continue }
            guesses = guesses.flatMap { guess -> [Guess] in
                let longer = parts(count, besides: Set(guess.values)).map { part in
                    guess.merging([place: part]) { $1 }
                }
                return longer + [guess]
            }
        }
        return guesses
    }

    private static func isComplete(_ guess: Guess) -> Bool {
        let parts = Set(guess.values)
        return parts.contains(.mac) && (parts.contains(.picc) || parts.contains(.uid))
    }

    /// Returns the parts that a value with this number of digits can be, given the parts in `seen` that precede it.
    private static func parts(_ digits: Int, besides seen: Set<SDMPart>) -> [SDMPart] {
        SDMPart.allCases.filter { part in
            guard !seen.contains(part) else { return false }
            switch part {
            // A URL with a UID or counter in plain text contains no encrypted UID or counter.
            case .uid, .counter: return part.digits == digits && !seen.contains(.picc)
            case .picc: return part.digits == digits && !seen.contains(.uid) && !seen.contains(.counter)
            // The MAC does not cover file data that follows it, so anyone could append such data.
            case .file: return SDMTemplate.isFileLength(digits) && !seen.contains(.mac)
            case .mac: return part.digits == digits
            }
        }
    }

    /// Returns the number of hexadecimal digits in the value of `name=value`, or nil for any other text.
    private static func digits(in item: Substring) -> Int? {
        guard let equals = item.firstIndex(of: "=") else { return nil }
        let value = Array(item[item.index(after: equals)...].utf8)
        return bytes(value[...]) == nil ? nil : value.count
    }

    /// Returns `name=value` with a placeholder for the value.
    private static func placeholder(_ part: SDMPart?, in item: Substring) -> String {
        guard let part, let digits = digits(in: item) else { return String(item) }
        return item.dropLast(digits) + (part == .file ? "{file:\(digits)}" : "{\(part.rawValue)}")
    }

    /// Returns the query of a URL, without the fragment — RFC 3986, section 3.4.
    ///
    /// Nil if there is no query.
    private static func query(of address: String) -> Substring? {
        let address = address.prefix { $0 != "#" }
        return address.firstIndex(of: "?").map { address[address.index(after: $0)...] }
    }

    /// Returns the first value in the query that resembles a MAC but has one digit too few, or one or two too many.
    ///
    /// Nil if there is none.
    private static func misshapenMAC(in query: Substring) -> (name: String, digits: Int)? {
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, [15, 17, 18].contains(parts[1].count),
                parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { continue }
            return (String(parts[0]), parts[1].count)
        }
        return nil
    }
}
