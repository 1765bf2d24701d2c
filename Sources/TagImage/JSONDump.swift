// The keys of a JSON dump — Proxmark3 client, fileutils.c; ours where that has no type for a tag

/// A JSON dump as it stands in the file.
///
/// Ours, `FileType` `nfctool`, schema 1, is for tags Proxmark has no type for, and has its keys: `kind` (`topaz96`,
/// `topaz512`, `feliCaLite`, `type3`, `type4`, `type5`), `Card` (`UID`, `ATQA` low byte first, `SAK`, `ATS`, `PMm`, `HR`; of
/// Type 5 `DSFID`, `AFI`, `IC`, `BlockSize` in one byte, and `Status`, a byte for each block from 0 on where one is locked),
/// `blocks` by decimal number (`null` where one could not be read), `files` by identifier in hexadecimal.
struct JSONDump: Decodable {
    static let ownType = "nfctool"
    static let schema = 1

    /// The keys of a MIFARE Classic sector; one that is not there is not known.
    struct Keys: Decodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let KeyA: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let KeyB: String?
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    let FileType: String
    let schema: Int?
    let kind: String?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let Card: [String: String]?
    let blocks: [String: String?]?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    let SectorKeys: [String: Keys]?
    let files: [String: String]?
}

extension TagImage.Kind {
    /// The name in our own dumps, `nil` for what Proxmark's hold.
    var ownName: String? {
        switch self {
        case .topaz96: "topaz96"
        case .topaz512: "topaz512"
        case .feliCaLite: "feliCaLite"
        case .type3: "type3"
        case .type4: "type4"
        case .type5: "type5"
        case .type2, .classic: nil
        }
    }

    /// Finds the kind of a name; nil for an unknown one.
    ///
    /// `blockLength` is in bytes; only the kind whose tags have blocks of different lengths needs it.
    init?(ownName: String, blockLength: Int?) {
        if ownName == "type5", let blockLength {
            self = .type5(blockLength: blockLength)
            return
        }
        let kinds: [Self] = [.topaz96, .topaz512, .feliCaLite, .type3, .type4]
        guard let kind = kinds.first(where: { $0.ownName == ownName }) else { return nil }
        self = kind
    }
}
