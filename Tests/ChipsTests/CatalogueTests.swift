// The table of chips as a whole

import Chips
import Testing

@Suite struct CatalogueTests {
    @Test func identifiersAreStable() {
        #expect(
            ChipModel.all.map(\.id.rawValue) == [
                "ultralight", "ultralight-c", "ultralight-ev1-11", "ultralight-ev1-21", "ultralight-nano-40",
                "ultralight-nano-48", "ultralight-aes", "ntag203", "ntag210", "ntag210micro", "ntag212", "ntag213",
                "ntag213-tt",
                "ntag215", "ntag216", "ntag223-dna", "ntag224-dna", "ntag-i2c-1k", "ntag-i2c-2k", "ntag-i2c-plus-1k",
                "ntag-i2c-plus-2k", "st25tn01k",
                "topaz96",
                "topaz512", "felica-lite", "felica-lite-s", "felica-link", "mifare-mini", "classic-1k", "classic-2k",
                "classic-4k", "desfire", "desfire-ev1-2k", "desfire-ev1-4k", "desfire-ev1-8k", "desfire-ev1",
                "desfire-ev2", "desfire-ev3", "ntag413-dna", "ntag424-dna", "desfire-light",
                "icode-sli", "icode-slix", "icode-slix-l", "icode-slix2", "icode-3", "icode-dna", "st25dv04k",
                "st25dv16k", "st25dv64k", "st25tv512", "st25tv02k", "m24lr04", "m24lr16", "m24lr64", "lri2k",
                "lris2k", "tag-it-hf-i-plus", "tag-it-hf-i-standard", "tag-it-hf-i-pro", "my-d-02p", "my-d-10p",
                "my-d-02s", "my-d-10s", "em4233", "em4233-slic",
            ])
    }

    @Test(arguments: ChipModel.all)
    func anIdentifierHasSmallLettersDigitsAndHyphensAndFindsItsModel(model: ChipModel) {
        #expect(model.id.rawValue.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
        #expect(ChipModel(id: model.id)?.name == model.name)
    }

    @Test func eachIdentifierAndEachNameIsOfOneModel() {
        #expect(Set(ChipModel.all.map(\.id)).count == ChipModel.all.count)
        #expect(Set(ChipModel.all.map(\.name)).count == ChipModel.all.count)
        #expect(ChipModel(id: ChipModel.ID(rawValue: "ntag999")) == nil)
    }

    /// Every answer to GET_VERSION belongs to at most one model.
    @Test func noAnswerToGetVersionIsThatOfTwoModels() {
        var counts: [String: Int] = [:]
        for type in UInt8(3)...4 {
            for subtype in UInt8(0)...6 {
                for major in UInt8(0)...5 {
                    for (minor, size) in (UInt8(0)...3).flatMap({ minor in (UInt8(0x0A)...0x16).map { (minor, $0) } }) {
                        let answer = [0x00, 0x04, type, subtype, major, minor, size, 0x03]
                        let models = ChipModel.all.filter { model in
                            model.marks.contains {
                                if case .version(let pattern, _) = $0 {
                                    pattern.matches(answer, vendor: 0x04)
                                } else {
                                    false
                                }
                            }
                        }
                        #expect(models.count <= 1, "\(answer)")
                        if let model = models.first { counts[model.id.rawValue, default: 0] += 1 }
                    }
                }
            }
        }
        let known = ChipModel.all.filter { $0.marks.contains { if case .version = $0 { true } else { false } } }
        #expect(Set(counts.keys) == Set(known.map(\.id.rawValue)))
    }

    /// The GET_VERSION answers are those of NXP's NT2L1001 and NT2H1001.
    ///
    /// ST's product code is not requested from another manufacturer's chip.
    @Test func theChipsAddedLastAreFound() throws {
        #expect(ChipModel(version: [0x00, 0x04, 0x04, 0x01, 0x02, 0x00, 0x0B, 0x03]) == .ntag210micro)
        #expect(ChipModel(version: [0x00, 0x04, 0x04, 0x02, 0x02, 0x00, 0x0B, 0x03]) == .ntag210micro)
        let found = try #require(ChipModel.withProductCode(uid: [0x02, 0xE1]).first)
        #expect(found.model == .st25TN01K && found.block == 0x2D && found.code == [0x90, 0x90])
        #expect(ChipModel.withProductCode(uid: [0x04, 0xE1]).isEmpty && ChipModel.withProductCode(uid: []).isEmpty)
    }

    @Test func anAnswerOfAnotherVendorOrLengthNamesNoChip() {
        let answer: [UInt8] = [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03]
        #expect(ChipModel(version: answer) == .ntag213)
        #expect(ChipModel(version: [0x00, 0x53] + answer[2...]) == nil)
        for count in 0..<8 { #expect(ChipModel(version: Array(answer[..<count])) == nil) }
        #expect(ChipModel(version: answer + [0x00]) == nil)
    }

    /// A UID of each generation of ICODE, from public samples.
    static let vicinity: [(uid: [UInt8], blockCount: Int?, id: String?)] = [
        ([0xE0, 0x04, 0x01, 0x50, 0x11, 0x22, 0x33, 0x44], nil, "icode-slix"),
        ([0xE0, 0x04, 0x01, 0x08, 0x22, 0x2A, 0x8D, 0x83], 80, "icode-slix2"),
        ([0xE0, 0x04, 0x01, 0x18, 0x00, 0x9B, 0x5F, 0xEE], nil, "icode-dna"),
        ([0xE0, 0x04, 0x01, 0x18, 0x00, 0x9B, 0x5F, 0xEE], 76, "icode-3"),
        ([0xE0, 0x04, 0x01, 0x20, 0x00, 0x9B, 0x5F, 0xEE], 75, "icode-3"),
        // The UID of an SLIX, with a different memory size.
        ([0xE0, 0x04, 0x01, 0x50, 0x11, 0x22, 0x33, 0x44], 64, nil),
        ([0xE0, 0x04, 0x03, 0x50, 0x10, 0x96, 0x3A, 0x52], nil, "icode-slix-l"),
        ([0xE0, 0x02, 0x24, 0x00, 0x00, 0x00, 0x00, 0x01], 128, "st25dv04k"),
        ([0xE0, 0x02, 0x27, 0x00, 0x00, 0x00, 0x00, 0x01], 512, "st25dv16k"),
        ([0xE0, 0x02, 0x26, 0x00, 0x00, 0x00, 0x00, 0x01], 2048, "st25dv64k"),
        ([0xE0, 0x02, 0x26, 0x00, 0x00, 0x00, 0x00, 0x01], nil, nil),
        ([0xE0, 0x02, 0x5E, 0x00, 0x00, 0x00, 0x00, 0x01], 2048, "m24lr64"),
        ([0xE0, 0x07, 0x80, 0x00, 0x00, 0x00, 0x00, 0x01], 64, "tag-it-hf-i-plus"),
        ([0xE0, 0x07, 0xC1, 0x00, 0x00, 0x00, 0x00, 0x01], nil, "tag-it-hf-i-standard"),
        ([0xE0, 0x05, 0x40, 0x00, 0x00, 0x00, 0x00, 0x01], nil, "my-d-02p"),
        ([0xE0, 0x16, 0x7C, 0x00, 0x00, 0x00, 0x00, 0x01], nil, "em4233"),
        ([0xE1, 0x04, 0x01, 0x08, 0x22, 0x2A, 0x8D, 0x83], 80, nil),
        ([0xE0, 0x04, 0x01, 0x08, 0x22, 0x2A, 0x8D], 80, nil),
        ([], nil, nil),
    ]

    @Test(arguments: vicinity.indices) func aUIDNamesItsISO15693Chip(row: Int) {
        let (uid, blockCount, id) = Self.vicinity[row]
        #expect(ChipModel(vicinityUID: uid, blockCount: blockCount)?.id.rawValue == id)
    }

    /// The data area begins after the container and ends within the memory, before a counter at its end.
    @Test(arguments: ChipModel.all.filter { $0.type5Layout != nil })
    func theFormatOfAnISO15693ChipStaysInsideItsMemory(model: ChipModel) throws {
        let layout = try #require(model.type5Layout)
        let plan = Type5Formatting(blockCount: layout.blockCount, blockLength: layout.blockLength)
        #expect(plan.containerLength + 8 * plan.mlen <= layout.plainBlockCount * layout.blockLength)
        #expect(model.blockNumbers == Array(0..<layout.blockCount) && model.blockLength == layout.blockLength)
        #expect(model.capacity ?? 0 > 0)
    }
}
