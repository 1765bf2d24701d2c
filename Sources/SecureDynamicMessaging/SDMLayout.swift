// An address as a tag holds it before anything is filled in — NXP NT4H2421Gx 9.3

/// An address with zeros where the tag fills something in, and the places in it.
public struct SDMLayout: Hashable, Sendable {
    /// The template it was made of.
    public let template: SDMTemplate
    /// The text that the tag holds.
    public let address: String
    /// What the tag fills in, by bytes of the address's UTF-8.
    public let places: [SDMPart: Range<Int>]
    /// Where what the tag signs begins.
    public let signedFrom: Int

    /// Whether each tap gives another address; one that is always the same can be copied.
    public var changes: Bool { places[.picc] != nil || places[.counter] != nil }

    /// Lays an address out.
    ///
    /// - Parameters:
    ///   - template: the address with placeholders.
    ///   - fileText: what the tag enciphers at `{file}`: half as many ASCII characters as the template has digits there.
    /// - Throws: ``SDMError/impossible(_:)`` for an order that tags do not know; ``SDMError/fileText(length:)``.
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
        guard let mac = places[.mac] else { throw .badTemplate("{mac}") }
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
