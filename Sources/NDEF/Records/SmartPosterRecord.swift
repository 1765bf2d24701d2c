// The Smart Poster record (`Sp`) — NFC Forum Smart Poster Record Type Definition 1.0

/// A URI with titles, icons and a recommended action.
///
/// The payload is an NDEF message with one URI record. The message may also contain, in any order, Text records
/// (titles), `act` (1 byte), media records with images or videos (icons), `s` (size, 4 bytes, big-endian) and `t`
/// (media type, UTF-8).
public struct SmartPosterRecord: Hashable, Sendable {
    static let type = Array("Sp".utf8)
    private static let actionType = Array("act".utf8)
    private static let sizeType = Array("s".utf8)
    private static let mimeTypeType = Array("t".utf8)

    /// The recommended action for the URI.
    public enum Action: UInt8, Hashable, Sendable {
        /// Act on the URI immediately, for example open the page or call the number.
        case execute = 0
        /// Save the URI for later, for example as a bookmark or in an address book.
        case save = 1
        /// Open the URI for editing.
        case edit = 2
    }

    /// The URI.
    public var uri: String
    /// The titles, one for each language.
    public var titles: [TextRecord]
    /// The recommended action; nil if there is none or the RTD reserves its number.
    public var action: Action?
    /// The media type of the resource to which the URI refers; nil if it is not given.
    public var mimeType: String?
    /// The size in bytes of the resource to which the URI refers; nil if it is not given.
    public var size: UInt32?
    /// Images or videos that represent the poster.
    public var icons: [MIMERecord]
    /// Records of other types, unchanged.
    ///
    /// A smart poster among them is not decoded, so that decoding never recurses, however deeply the messages on a tag
    /// are nested.
    public var others: [NDEFRecord]

    /// Creates a smart poster without checking its parts.
    public init(
        uri: String, titles: [TextRecord] = [], action: Action? = nil, mimeType: String? = nil, size: UInt32? = nil,
        icons: [MIMERecord] = [], others: [NDEFRecord] = []
    ) {
        self.uri = uri
        self.titles = titles
        self.action = action
        self.mimeType = mimeType
        self.size = size
        self.icons = icons
        self.others = others
    }

    /// Parses a record with TNF 1 and type `Sp`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else {
            throw ContentError("Not a Smart Poster record.")
        }
        self.init(uri: "")
        var uris: [String] = []
        for part in try Self.parts(of: record.payload) {
            switch (part.tnf, part.type) {
            case (.wellKnown, URIRecord.type): uris.append(try URIRecord(record: part).uri)
            case (.absoluteURI, _): uris.append(try AbsoluteURIRecord(record: part).uri)
            case (.wellKnown, TextRecord.type): titles.append(try TextRecord(record: part))
            case (.wellKnown, Self.actionType): action = try Self.action(part.payload)
            case (.wellKnown, Self.sizeType): size = try Self.size(part.payload)
            case (.wellKnown, Self.mimeTypeType): mimeType = try String(utf8: part.payload, "The poster's media type")
            case (.media, _): try addIcon(part)
            default: others.append(part)
            }
        }
        guard let uri = uris.first, uris.count == 1 else {
            throw ContentError("The poster holds \(uris.count) URI records; expected 1.")
        }
        self.uri = uri
    }

    /// Encodes the poster as a record.
    ///
    /// The order is URI, titles, action, icons, size, media type, other records.
    /// - Throws: ``ContentError`` if a part cannot be encoded.
    public func record() throws(ContentError) -> NDEFRecord {
        var parts = [URIRecord(uri: uri).record()]
        for title in titles { parts.append(try title.record()) }
        if let action { parts.append(Self.part(Self.actionType, [action.rawValue])) }
        for icon in icons { parts.append(try icon.record()) }
        if let size { parts.append(Self.part(Self.sizeType, withUnsafeBytes(of: size.bigEndian, Array.init))) }
        if let mimeType { parts.append(Self.part(Self.mimeTypeType, Array(mimeType.utf8))) }
        do {
            let payload = try NDEFMessage(records: parts + others).encoded()
            return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: payload)
        } catch {
            throw ContentError("In the poster's message: \(error)")
        }
    }

    private static func part(_ type: [UInt8], _ payload: [UInt8]) -> NDEFRecord {
        NDEFRecord(tnf: .wellKnown, type: type, payload: payload)
    }

    private static func parts(of payload: [UInt8]) throws(ContentError) -> [NDEFRecord] {
        do {
            return try NDEFMessage(bytes: payload).records
        } catch {
            throw ContentError("In the poster's message: \(error)")
        }
    }

    private static func action(_ payload: [UInt8]) throws(ContentError) -> Action? {
        guard payload.count == 1 else { throw ContentError("The poster's action is not 1 byte.") }
        return Action(rawValue: payload[0])
    }

    private static func size(_ payload: [UInt8]) throws(ContentError) -> UInt32 {
        guard payload.count == 4 else { throw ContentError("The poster's size is not 4 bytes.") }
        return payload.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func addIcon(_ part: NDEFRecord) throws(ContentError) {
        let media = try MIMERecord(record: part)
        let topLevel = media.mimeType.prefix { $0 != "/" }.lowercased()
        if topLevel == "image" || topLevel == "video" { icons.append(media) } else { others.append(part) }
    }
}
