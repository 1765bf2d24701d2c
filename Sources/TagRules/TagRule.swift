// A rule with a command to run for certain tags — Docs/BackgroundReading.md

package import NDEF

/// A rule, with the conditions that a tag must meet and the command to run for it.
package struct TagRule: Hashable, Sendable {
    /// The line number in the file, counted from 1.
    package let line: Int
    /// The text with which the tag's URI must begin (as in `NFC_URI`), or nil if the URI does not matter.
    package let uri: String?
    /// The type that at least one of the tag's records must have, or nil if the types do not matter.
    package let type: RecordType?
    /// The UID that the tag must have, or nil if the UID does not matter.
    package let uid: [UInt8]?
    /// The command, which is run with `/bin/sh -c`.
    package let command: String
    /// The maximum length of one argument on Linux, including the zero byte at its end: MAX_ARG_STRLEN.
    ///
    /// The length is in bytes.
    static let longestText = 131_072

    /// Returns whether a tag with this UID and message meets all conditions of the rule.
    ///
    /// For a tag that has no message or cannot be read, pass an empty message.
    package func matches(_ identifier: [UInt8], _ message: NDEFMessage) -> Bool {
        if let uid, uid != identifier { return false }
        // Compare bytes, because String's own prefix comparison would treat e with a combining accent as equal to é.
        if let uri, message.firstURI?.utf8.starts(with: uri.utf8) != true { return false }
        if let type, !message.records.contains(where: type.matches) { return false }
        return true
    }
}

/// A record type as users write it: `T`, `text/vcard`, `android.com:pkg`.
package struct RecordType: Hashable, Sendable {
    private let format: TypeNameFormat
    private let name: String

    /// Parses a record type.
    ///
    /// It is external if it contains a colon, a media type if it contains a slash, and otherwise well-known. Returns
    /// nil for an invalid type, which is empty, is longer than 255 bytes, or contains characters other than printable
    /// ASCII.
    package init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        format = text.contains(":") ? .external : text.contains("/") ? .media : .wellKnown
        // NFC Forum RTD, NDEF: only well-known types are case-sensitive. Convert other types to lower case.
        name = format == .wellKnown ? text : text.lowercased()
    }

    package func matches(_ record: NDEFRecord) -> Bool {
        guard record.tnf == format else { return false }
        let type = String(decoding: record.type, as: UTF8.self)
        return name == (format == .wellKnown ? type : type.lowercased())
    }
}

extension NDEFMessage {
    /// The first URI in a URI record, an absolute URI record or a smart poster, or nil if there is none.
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
