// The link that an iPhone opens from a tag automatically — Apple, Adding support for background tag reading

public import NDEF

/// The URI that background tag reading uses, which is that of the first URI record in a message.
public struct BackgroundLink: Hashable, Sendable {
    /// The schemes that Apple documents.
    ///
    /// A URI with any other scheme is not opened.
    static let schemes: Set<String> = [
        "http", "https", "mailto", "sms", "tel", "facetime", "facetime-audio", "x-hm",
    ]

    /// The URI, as written on the tag.
    public let uri: String
    /// The scheme in lower case, or nil if the text does not begin with one.
    public let scheme: String?
    /// Whether an iPhone opens the scheme.
    public var isOpened: Bool { scheme.map(Self.schemes.contains) ?? false }

    /// Finds the first URI record, or returns nil if there is none.
    ///
    /// Smart posters and absolute URI records do not count.
    public init?(in message: NDEFMessage) {
        for record in message.records {
            guard case .uri(let content) = record.content else { continue }
            uri = content.uri
            scheme = URIScheme(of: content.uri)?.name
            return
        }
        return nil
    }
}
