// Where a message can be shorter

/// A change that makes a message shorter.
public struct Saving: Hashable, Sendable {
    /// What kind of change, in lowerCamel.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The URI's usual beginning as one byte.
        case uriPrefix
        /// A URI record in place of an absolute URI record.
        case absoluteURI
        /// The slash behind a host, which says nothing.
        case trailingSlash
        /// A smart poster without titles.
        case posterTitles
        /// A URI record in place of a smart poster.
        case smartPoster
        /// The language without its region.
        case textLanguage
        /// The other of UTF-8 and UTF-16.
        case textEncoding
        /// A record without its ID.
        case identifier
        /// A record that stands there twice.
        case duplicate
        /// An empty record.
        case emptyRecord
        /// An Android application record: what it costs.
        case appRecord
        /// Short records in place of long or chunked ones.
        case shortRecords
    }

    /// What kind of change.
    public let kind: Kind
    /// The bytes it saves, 1 or more.
    ///
    /// Savings of one record may exclude each other.
    public let bytes: Int
    /// What to do, a full sentence; may quote the message.
    public let advice: String
    /// The number of the record, from 1; nil for the whole message.
    public let record: Int?
}
