// Ways to shorten a message

/// A change that makes a message shorter.
public struct Saving: Hashable, Sendable {
    /// The kind of change, in lowerCamelCase.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A usual prefix of a URI, abbreviated to one byte.
        case uriPrefix
        /// A URI record instead of an absolute URI record.
        case absoluteURI
        /// The URI without the redundant slash after the host.
        case trailingSlash
        /// A smart poster without titles.
        case posterTitles
        /// A URI record instead of a smart poster.
        case smartPoster
        /// The language without its region.
        case textLanguage
        /// The other encoding, UTF-8 or UTF-16.
        case textEncoding
        /// A record without its ID.
        case identifier
        /// Removing a repeated record.
        case duplicate
        /// Removing an empty record.
        case emptyRecord
        /// Removing an Android application record.
        case appRecord
        /// Short records instead of long or chunked ones.
        case shortRecords
    }

    /// The kind of change.
    public let kind: Kind
    /// The number of bytes saved, at least 1.
    ///
    /// Two savings for the same record may exclude each other.
    public let bytes: Int
    /// Advice for the user, as a full sentence.
    ///
    /// It may quote the message.
    public let advice: String
    /// The number of the record, counted from 1, or nil if the change affects the whole message.
    public let record: Int?
}
