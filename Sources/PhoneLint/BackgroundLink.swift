// What an iPhone opens of a tag by itself — Apple, Adding support for background tag reading

public import NDEF

/// The URI that background tag reading takes from a message: that of the first URI record, and no other.
public struct BackgroundLink: Hashable, Sendable {
    /// The schemes that Apple documents; every other URI stays on the tag.
    static let schemes: Set<String> = [
        "http", "https", "mailto", "sms", "tel", "facetime", "facetime-audio", "x-hm",
    ]

    /// The URI, as written on the tag.
    public let uri: String
    /// Its scheme in lower case; nil for a text that begins with none.
    public let scheme: String?
    /// Whether its scheme is one that is opened.
    public var isOpened: Bool { scheme.map(Self.schemes.contains) ?? false }

    /// Finds the first URI record; nil when there is none.
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
