// The command that runs for a tag — Docs/BackgroundReading.md

package import NDEF

/// A rule: the conditions that a tag must meet, and the command for it.
package struct TagRule: Hashable, Sendable {
    /// The line number in the file, starting at 1.
    package let line: Int
    /// The prefix of the tag's URI, as in `NFC_URI`; nil for any tag.
    package let uri: String?
    /// The type of one of its records; nil for any tag.
    package let type: RecordType?
    /// The UID of the tag; nil for any tag.
    package let uid: [UInt8]?
    /// The command for `/bin/sh -c`.
    package let command: String
    /// The maximum number of bytes of one argument on Linux, including the zero at its end: MAX_ARG_STRLEN.
    static let longestText = 131_072

    /// Whether a tag with this UID and message meets all conditions of the rule.
    ///
    /// The message is empty for a tag that has no message or cannot be read.
    package func matches(_ identifier: [UInt8], _ message: NDEFMessage) -> Bool {
        if let uid, uid != identifier { return false }
        // Compares bytes, because a String's own prefix comparison would treat e with a combining accent as é.
        if let uri, message.firstURI?.utf8.starts(with: uri.utf8) != true { return false }
        if let type, !message.records.contains(where: type.matches) { return false }
        return true
    }
}

/// A record type as people write it: `T`, `text/vcard`, `android.com:pkg`.
package struct RecordType: Hashable, Sendable {
    private let format: TypeNameFormat
    private let name: String

    /// Parses a record type: external if it contains a colon, a media type if it contains a slash, otherwise
    /// well-known.
    ///
    /// Returns nil for an invalid type: empty, longer than 255 bytes, or with characters other than printable ASCII.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        format = text.contains(":") ? .external : text.contains("/") ? .media : .wellKnown
        // NFC Forum RTD, NDEF: only well-known types are case-sensitive.
        name = format == .wellKnown ? text : text.lowercased()
    }

    /// Whether a record is of this type.
    package func matches(_ record: NDEFRecord) -> Bool {
        guard record.tnf == format else { return false }
        let type = String(decoding: record.type, as: UTF8.self)
        return name == (format == .wellKnown ? type : type.lowercased())
    }
}

extension NDEFMessage {
    /// The first URI in a URI record, an absolute URI record or a smart poster.
    package var firstURI: String? {
        for record in records {
            switch record.content {
            case .uri(let content): return content.uri
            case .absoluteURI(let content): return content.uri
            case .smartPoster(let content): return content.uri
            default: continue
            }
        }
        return nil
    }
}
