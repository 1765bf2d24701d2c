// The start of a message in a few words

import NDEF

extension RecordSummary {
    /// The maximum number of characters in an excerpt.
    private static let longestExcerpt = 40

    /// Returns the first record of a message, escaped and shortened, and the number of the other records.
    ///
    /// Nil if the message has no records or is broken.
    package static func excerpt(of message: [UInt8]) -> String? {
        guard let records = try? NDEFMessage(bytes: message).records, let first = all(records).first else { return nil }
        let text = first.value.isEmpty ? first.kind : "\(first.kind): \(first.value)"
        let more = records.count > 1 ? " and \(records.count - 1) more" : ""
        return (text.count > longestExcerpt ? text.prefix(longestExcerpt - 1) + "…" : text) + more
    }
}
