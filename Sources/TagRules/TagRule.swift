// Which command a tag runs — Docs/BackgroundReading.md

package import NDEF

/// One rule: what a tag must be or hold, and the command for it.
package struct TagRule: Hashable, Sendable {
    /// The line of the file, from 1.
    package let line: Int
    /// How the tag's URI begins, the one of `NFC_URI`; nil for any tag.
    package let uri: String?
    /// The type of one of its records; nil for any tag.
    package let type: RecordType?
    /// Its UID; nil for any tag.
    package let uid: [UInt8]?
    /// What `/bin/sh -c` runs.
    package let command: String
    /// Bytes that Linux takes as one argument, with the zero at its end: MAX_ARG_STRLEN.
    static let longestText = 131_072

    /// Whether all that the rule asks for is true of a tag with this UID and message.
    ///
    /// The message is empty for a tag that holds nothing or cannot be read.
    package func matches(_ identifier: [UInt8], _ message: NDEFMessage) -> Bool {
        if let uid, uid != identifier { return false }
        // Letter by letter: a String's own prefix would take é for e with an accent behind it.
        if let uri, message.firstURI?.utf8.starts(with: uri.utf8) != true { return false }
        if let type, !message.records.contains(where: type.matches) { return false }
        return true
    }
}

/// A record type as people write it: `T`, `text/vcard`, `android.com:pkg`.
package struct RecordType: Hashable, Sendable {
    private let format: TypeNameFormat
    private let name: String

    /// Takes a type with a colon for an external one, with a slash for a media type, any other for a well-known one.
    ///
    /// Nil for what can be no type: empty, longer than 255 bytes, or with other than printable ASCII in it.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        format = text.contains(":") ? .external : text.contains("/") ? .media : .wellKnown
        // NFC Forum RTD, NDEF: well-known types alone tell great letters from small ones.
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
    /// The first URI, of a URI record, an absolute URI or a smart poster.
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
