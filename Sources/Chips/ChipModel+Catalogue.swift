// All chips, and how a tag's answers identify a chip

extension ChipModel {
    /// All models.
    ///
    /// Models with the same memory size or capacity are in the order in which lists name them.
    public static let all: [ChipModel] = families.flatMap(\.self)

    /// The models of each family.
    ///
    /// Each family has its own file.
    private static let families: [[ChipModel]] = [
        ultralights, ntag21x, ntag22xDNA, ntagI2C, st25TN, topazes, feliCaLites, mifareClassics, desfires,
        icodes, st25, vicinity,
    ]

    /// Creates the model with this identifier, or returns `nil` if there is none.
    public init?(id: ID) {
        guard let model = Self.all.first(where: { $0.id == id }) else { return nil }
        self = model
    }

    /// Creates the model that a GET_VERSION answer identifies, or returns `nil` if no model matches.
    ///
    /// - Parameter version: the answer, 8 bytes.
    public init?(version: [UInt8]) {
        guard let (model, _) = Self.identified(byVersion: version) else { return nil }
        self = model
    }

    /// Returns the model that a GET_VERSION answer identifies and the name of the variant, or `nil` if no model
    /// matches.
    public static func identified(byVersion version: [UInt8]) -> (model: ChipModel, name: String)? {
        for model in all {
            for case .version(let pattern, let name) in model.marks
            where pattern.matches(version, vendor: model.maker.code) {
                return (model, name ?? model.name)
            }
        }
        return nil
    }

    /// Returns the models of the tag's manufacturer that are identified by a product code in their memory.
    ///
    /// - Parameter uid: the UID of the tag, which begins with the manufacturer code.
    /// - Returns: the models, the block that holds the code, the code, and the size of the data area in units of 8
    ///   bytes.
    public static func withProductCode(
        uid: [UInt8]
    ) -> [(model: ChipModel, block: Int, code: [UInt8], dataAreaSize: UInt8)] {
        all.flatMap { model in
            model.marks.compactMap { mark in
                guard case .productCode(let block, let code, let size) = mark, model.maker.code == uid.first else {
                    return nil
                }
                return (model, block, code, size)
            }
        }
    }

    /// Creates the model that the header ROM of a Type 1 Tag identifies, or returns `nil` if no model matches.
    public init?(headerROM: [UInt8]) {
        guard let model = Self.all.first(where: { $0.marks.contains(.headerROM(headerROM)) }) else { return nil }
        self = model
    }

    /// Creates the model that the IC code in the PMm of a Type 3 Tag identifies, or returns `nil` if no model matches.
    public init?(icCode: UInt8) {
        guard let model = Self.all.first(where: { $0.marks.contains(.icCode(icCode)) }) else { return nil }
        self = model
    }

    /// Creates the MIFARE Classic that answers selection with this byte.
    ///
    /// An unknown answer is assumed to come from a 4 KB chip if bit 5 (10h) is set, otherwise from a 1 KB chip.
    public init(selRes: UInt8) {
        self =
            Self.all.first { $0.marks.contains(.selRes(selRes)) } ?? (selRes & 0x10 != 0 ? .classic4K : .classic1K)
    }

    /// Returns the model that a native GetVersion answer identifies, and its name with the size.
    ///
    /// - Parameter version: the hardware part of the answer, at least 7 bytes.
    /// - Returns: the model, or `nil` if no model matches or the answer is shorter.
    public static func identified(byNativeVersion version: [UInt8]) -> (model: ChipModel, name: String)? {
        guard version.count >= 7, version[0] == ChipModel.Maker.nxp.code else { return nil }
        let exponent = Int(version[5] >> 1)
        var family: ChipModel?
        for model in all {
            for case .nativeVersion(let pattern) in model.marks
            where pattern.type == version[1] & 0x0F && pattern.majors.contains(version[3]) {
                if pattern.sizeExponent == exponent { return (model, model.name) }
                if pattern.sizeExponent == nil { family = family ?? model }
            }
        }
        guard let family else { return nil }
        let isSized = family.isSoldInSizes && 10...20 ~= exponent
        return (family, family.name + (isSized ? " \(1 << (exponent - 10))K" : ""))
    }

    /// Creates the model that the UID and system information of an ISO 15693 tag identify, or returns `nil` if no model
    /// matches.
    ///
    /// - Parameters:
    ///   - vicinityUID: the UID, 8 bytes, E0 first.
    ///   - blockCount: the number of blocks in the system information, or `nil` if the tag did not report it.
    public init?(vicinityUID: [UInt8], blockCount: Int?) {
        let model = Self.all.first { model in
            // A different memory size means a different chip, even if the UID matches.
            if let blockCount, let layout = model.type5Layout, !layout.hasBlockCount(blockCount) { return false }
            return model.marks.contains { mark in
                guard case .vicinity(let pattern) = mark else { return false }
                return pattern.matches(vicinityUID, maker: model.maker.code, blockCount: blockCount)
            }
        }
        guard let model else { return nil }
        self = model
    }

    /// Returns the manufacturer that the UID of an ISO 15693 tag names, and the models with the same product code.
    ///
    /// Use this function for a tag that no model matches, for example because it reports another memory size.
    ///
    /// - Parameter uid: the UID, 8 bytes, E0 first.
    /// - Returns: the manufacturer and the models, or `nil` if the manufacturer makes none of the models in the table.
    public static func maker(ofVicinityUID uid: [UInt8]) -> (maker: Maker, similar: [ChipModel])? {
        guard uid.count == 8, uid[0] == 0xE0,
            let maker = all.first(where: { $0.kind == .type5 && $0.maker.code == uid[1] })?.maker
        else { return nil }
        let similar = all.filter { model in
            model.maker == maker
                && model.marks.contains { mark in
                    guard case .vicinity(let pattern) = mark else { return false }
                    return uid[2] & pattern.mask == pattern.productCode
                }
        }
        return (maker, similar)
    }
}

extension ChipModel {
    /// A sample answer of this model to GET_VERSION, 8 bytes, or `nil` if the model refuses the command.
    ///
    /// The sample is used for dumps that contain only the memory.
    public var sampleVersion: [UInt8]? {
        for case .version(let pattern, _) in marks {
            guard let vendor = maker.code, let subtype = pattern.subtypes.min() else { continue }
            return [0x00, vendor, pattern.type, subtype, pattern.major, pattern.minors.lowerBound, pattern.size, 0x03]
        }
        return nil
    }
}
