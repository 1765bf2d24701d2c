// Which command a tag runs — Docs/BackgroundReading.md

import NDEF
import ReaderInterface
import SafeTag

/// One rule: what a tag must be or hold, and the command for it.
struct TagRule: Hashable, Sendable {
    /// The line of the file, from 1.
    let line: Int
    /// How the tag's URI begins, the one of `NFC_URI`; nil for any tag.
    let uri: String?
    /// The type of one of its records; nil for any tag.
    let type: RecordType?
    /// Its UID; nil for any tag.
    let uid: TagUID?
    /// What `/bin/sh -c` runs.
    let command: String

    /// Whether all that the rule asks for is true of the tag.
    func matches(_ reading: TagReading) -> Bool {
        if let uid, uid.bytes != reading.target.identifier { return false }
        // Letter by letter: a String's own prefix would take é for e with an accent behind it.
        if let uri, reading.message.firstURI?.utf8.starts(with: uri.utf8) != true { return false }
        if let type, !reading.message.records.contains(where: type.matches) { return false }
        return true
    }
}

/// A record type as people write it: `T`, `text/vcard`, `android.com:pkg`.
struct RecordType: Hashable, Sendable {
    private let format: TypeNameFormat
    private let name: String

    /// Takes a type with a colon for an external one, with a slash for a media type, any other for a well-known one.
    ///
    /// Nil for what can be no type: empty, longer than 255 bytes, or with other than printable ASCII in it.
    init?(_ text: String) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        format = text.contains(":") ? .external : text.contains("/") ? .media : .wellKnown
        // NFC Forum RTD, NDEF: well-known types alone tell great letters from small ones.
        name = format == .wellKnown ? text : text.lowercased()
    }

    /// Whether a record is of this type.
    func matches(_ record: NDEFRecord) -> Bool {
        guard record.tnf == format else { return false }
        let type = String(decoding: record.type, as: UTF8.self)
        return name == (format == .wellKnown ? type : type.lowercased())
    }
}

extension NDEFMessage {
    /// The first URI, of a URI record, an absolute URI or a smart poster.
    var firstURI: String? {
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
