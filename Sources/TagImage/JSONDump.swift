// The members of a JSON dump — Proxmark3 client, fileutils.c; our own format for tags that it does not support

/// The contents of a JSON dump.
///
/// This project's own format has the `FileType` `nfctool` and schema 1. This format is used for tags for which Proxmark
/// has no type. Its keys are `kind` (`topaz96`, `topaz512`, `feliCaLite`, `type3`, `type4`, `type5`), `Card` (`UID`,
/// `ATQA` with its low byte first, `SAK`, `ATS` without its length byte TL, `PMm`, `HR`; for Type 5 also `DSFID`,
/// `AFI`, `IC`, `BlockSize` in one byte, and, if any block is locked, `Status` with one byte for each block, starting
/// with block 0), `blocks` by decimal number (`null` for a block that could not be read), and `files` by hexadecimal
/// identifier. `filledIn` is true if the chip filled in the message at each tap.
struct JSONDump: Decodable {
    static let ownType = "nfctool"
    static let schema = 1

    /// The keys of a MIFARE Classic sector.
    ///
    /// A key that is missing from the dump is not known.
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
    let filledIn: Bool?
}

extension TagImage.Kind {
    /// The name of the kind in this project's own format, or `nil` for kinds that Proxmark's format supports.
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

    /// Creates the kind with this name in the project's own format, or returns `nil` if the name is unknown.
    ///
    /// `blockLength` is in bytes. It is needed only for `type5`, because the block length of Type 5 Tags varies.
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
