// All chips, and how a tag's answers find theirs

extension ChipModel {
    /// All models.
    ///
    /// Those with memories of one size, and those of one capacity, come in the order in which lists name them.
    public static let all: [ChipModel] = families.flatMap(\.self)

    /// The families, each with a file of its own.
    private static let families: [[ChipModel]] = [
        ultralights, ntag21x, ntag22xDNA, ntagI2C, st25TN, topazes, feliCaLites, mifareClassics, desfires,
        icodes, st25, vicinity,
    ]

    /// The model with this identifier; `nil` when there is none.
    public init?(id: ID) {
        guard let model = Self.all.first(where: { $0.id == id }) else { return nil }
        self = model
    }

    /// The model whose GET_VERSION answer this is; `nil` when it is none of these.
    ///
    /// - Parameter version: the answer, 8 bytes.
    public init?(version: [UInt8]) {
        guard let (model, _) = Self.identified(byVersion: version) else { return nil }
        self = model
    }

    /// The model whose GET_VERSION answer this is, and the name of the variant that it names.
    public static func identified(byVersion version: [UInt8]) -> (model: ChipModel, name: String)? {
        for model in all {
            for case .version(let pattern, let name) in model.marks
            where pattern.matches(version, vendor: model.maker.code) {
                return (model, name ?? model.name)
            }
        }
        return nil
    }

    /// The models of a maker that are known by a product code in their memory, and that code.
    ///
    /// - Parameter uid: the tag's UID, which begins with the maker's code.
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

    /// The model whose header ROM a Type 1 Tag has; `nil` when it is none of these.
    public init?(headerROM: [UInt8]) {
        guard let model = Self.all.first(where: { $0.marks.contains(.headerROM(headerROM)) }) else { return nil }
        self = model
    }

    /// The model whose IC code a Type 3 Tag has in its PMm; `nil` when it is none of these.
    public init?(icCode: UInt8) {
        guard let model = Self.all.first(where: { $0.marks.contains(.icCode(icCode)) }) else { return nil }
        self = model
    }

    /// The MIFARE Classic that answers selection with this byte.
    ///
    /// Bit 5 of an unusual answer tells a chip of 4 KB; all others are taken for one of 1 KB.
    public init(selRes: UInt8) {
        self =
            Self.all.first { $0.marks.contains(.selRes(selRes)) } ?? (selRes & 0x10 != 0 ? .classic4K : .classic1K)
    }

    /// The model that a native GetVersion answer names, and its name with the size.
    ///
    /// - Parameter version: the answer's hardware part, at least 7 bytes.
    /// - Returns: the model; `nil` when it is none of these, and for fewer bytes.
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

    /// The model that an ISO 15693 tag's UID and system information name; `nil` when it is none of these.
    ///
    /// - Parameters:
    ///   - vicinityUID: the UID, 8 bytes, E0 first.
    ///   - blockCount: the number of blocks in the system information; `nil` where that was not answered.
    public init?(vicinityUID: [UInt8], blockCount: Int?) {
        let model = Self.all.first { model in
            // A chip with another memory is another chip, whatever its UID looks like.
            if let blockCount, let layout = model.type5Layout, !layout.hasBlockCount(blockCount) { return false }
            return model.marks.contains { mark in
                guard case .vicinity(let pattern) = mark else { return false }
                return pattern.matches(vicinityUID, maker: model.maker.code, blockCount: blockCount)
            }
        }
        guard let model else { return nil }
        self = model
    }
}

extension ChipModel {
    /// An example of this model's answer to GET_VERSION, 8 bytes; `nil` for a model that refuses the command.
    ///
    /// Used for dumps that contain only the memory, and not this answer.
    public var sampleVersion: [UInt8]? {
        for case .version(let pattern, _) in marks {
            guard let vendor = maker.code, let subtype = pattern.subtypes.min() else { continue }
            return [0x00, vendor, pattern.type, subtype, pattern.major, pattern.minors.lowerBound, pattern.size, 0x03]
        }
        return nil
    }
}
