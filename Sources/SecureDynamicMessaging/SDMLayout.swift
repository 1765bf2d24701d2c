// A URL as stored on a tag, before the tag fills in values — NXP NT4H2421Gx 9.3

/// A URL with zeros in the places that the tag fills in, and the positions of these places.
public struct SDMLayout: Hashable, Sendable {
    /// The template of the URL.
    public let template: SDMTemplate
    /// The text that the tag stores.
    public let address: String
    /// The values that the tag fills in, with their byte ranges in the UTF-8 text of the URL.
    public let places: [SDMPart: Range<Int>]
    /// The byte offset in the URL's text at which the signed part begins.
    public let signedFrom: Int

    /// Whether each tap returns a different URL.
    ///
    /// A URL that never changes can be copied.
    public var changes: Bool { places[.picc] != nil || places[.counter] != nil }

    /// Creates the layout of a URL.
    ///
    /// - Parameters:
    ///   - template: the URL with placeholders.
    ///   - fileText: the text that the tag encrypts at `{file}`. It has half as many ASCII characters as `{file}` has
    ///     digits.
    /// - Throws: ``SDMError/impossible(_:)`` for an order that tags do not support; ``SDMError/fileText(length:)`` for
    ///   a text of another length.
    public init(_ template: SDMTemplate, fileText: String? = nil) throws(SDMError) {
        var (text, places, start) = ("", [SDMPart: Range<Int>](), Int?.none)
        for piece in template.pieces {
            let place = text.utf8.count
            switch piece {
            case .literal(let literal): text += literal
            case .signed: start = place
            case .part(let part, let digits):
                places[part] = place..<place + digits
                let filled = part == .file ? fileText ?? "" : ""
                text += filled + String(repeating: "0", count: max(0, digits - filled.utf8.count))
            }
        }
        let data = places[.file]
        if fileText != nil || data != nil {
            guard let length = data.map({ $0.count / 2 }), fileText.map({ $0.utf8.count == length }) ?? true,
                fileText?.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) ?? true
            else { throw .fileText(length: data.map { $0.count / 2 } ?? 0) }
        }
        guard let mac = places[.mac] else { throw .templateLacks(.mac) }
        signedFrom = start ?? data?.lowerBound ?? mac.lowerBound
        guard signedFrom <= mac.lowerBound else {
            throw .impossible(start == nil ? "{file:\(data?.count ?? 0)}" : "{signed}")
        }
        if let data {
            let isIdentified = places[.picc] != nil || places[.uid] != nil && places[.counter] != nil
            guard isIdentified, signedFrom <= data.lowerBound, data.upperBound <= mac.lowerBound else {
                throw .impossible("{file:\(data.count)}")
            }
        }
        (self.template, address, self.places) = (template, text, places)
    }
}
