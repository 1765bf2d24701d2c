// The settings of Secure Dynamic Messaging — NXP NT4H2421Gx, 9.3, table 69 (ChangeFileSettings), table 71

/// The settings of Secure Dynamic Messaging for a file, from SDMOptions to SDMReadCtrLimit.
struct NTAG424SDM: Hashable, Sendable {
    private enum Option {
        static let uid: UInt8 = 0x80
        static let readCounter: UInt8 = 0x40
        static let limit: UInt8 = 0x20
        static let encryptedData: UInt8 = 0x10
        static let reserved: UInt8 = 0x0E
        static let ascii: UInt8 = 0x01
    }

    /// The lengths of the mirrored data in ASCII characters.
    static let uidLength = 14
    static let counterLength = 6
    static let piccDataLength = 32
    static let macLength = 16
    /// The number of ASCII characters for a block of 16 bytes.
    ///
    /// SDMENCLength must be a multiple of it.
    private static let encryptedUnit = 32
    /// The value of SDMReadCtrOffset if the counter is not mirrored.
    private static let notMirrored = 0xFF_FFFF
    static let largestCounter = 0xFF_FFFF

    let options: UInt8
    /// SDMMetaRead, SDMFileRead, RFU and SDMCtrRet: four bits each, highest first.
    let accessRights: UInt16
    private(set) var uidOffset: Int?
    private(set) var counterOffset: Int?
    private(set) var piccDataOffset: Int?
    private(set) var macInputOffset: Int?
    private(set) var encryptedOffset: Int?
    private(set) var encryptedLength: Int?
    private(set) var macOffset: Int?
    private(set) var limit: Int?

    var hasUID: Bool { options & Option.uid != 0 }
    var hasReadCounter: Bool { options & Option.readCounter != 0 }
    var metaRead: UInt8 { UInt8(accessRights >> 12) }
    var fileRead: UInt8 { UInt8(accessRights >> 8 & 0xF) }
    var counterRetrieval: UInt8 { UInt8(accessRights & 0xF) }
    /// The number of the key that encrypts PICCData; nil if PICCData is not encrypted.
    var metaReadKey: Int? { metaRead < NTAG424File.free ? Int(metaRead) : nil }
    /// The number of the key for SDMMAC and SDMENCFileData; nil if neither is used.
    var fileReadKey: Int? { fileRead < NTAG424File.free ? Int(fileRead) : nil }
    /// Whether the UID is mirrored, in plain text or encrypted.
    var mirrorsUID: Bool { hasUID && metaRead != NTAG424File.never }
    /// Whether SDMReadCtr is mirrored, in plain text or encrypted.
    var mirrorsCounter: Bool {
        hasReadCounter && metaRead != NTAG424File.never && (metaReadKey != nil || counterOffset != nil)
    }

    /// Parses the settings that follow AccessRights.
    /// - Throws: `lengthError` for too few or too many bytes, `parameterError` for settings that table 71 forbids.
    init(_ bytes: [UInt8], fileSize: Int, readCounter: Int) throws(NTAG424Status) {
        guard bytes.count >= 3 else { throw .lengthError }
        options = bytes[0]
        accessRights = UInt16(bytes[2]) << 8 | UInt16(bytes[1])
        try Self.check(options, accessRights)
        var rest = bytes[3...]
        if hasUID, metaRead == NTAG424File.free { uidOffset = try Self.offset(&rest) }
        if hasReadCounter, metaRead == NTAG424File.free {
            let offset = try Self.offset(&rest)
            counterOffset = offset == Self.notMirrored ? nil : offset
        }
        if metaReadKey != nil { piccDataOffset = try Self.offset(&rest) }
        if fileReadKey != nil {
            macInputOffset = try Self.offset(&rest)
            if options & Option.encryptedData != 0 {
                encryptedOffset = try Self.offset(&rest)
                encryptedLength = try Self.offset(&rest)
            }
            macOffset = try Self.offset(&rest)
        }
        if options & Option.limit != 0 { limit = try Self.offset(&rest) }
        guard rest.isEmpty else { throw .lengthError }
        try checkPlaces(fileSize: fileSize)
        if let limit, limit <= readCounter { throw .parameterError }
    }

    private static func offset(_ bytes: inout ArraySlice<UInt8>) throws(NTAG424Status) -> Int {
        guard bytes.count >= 3 else { throw .lengthError }
        defer { bytes = bytes.dropFirst(3) }
        return NTAG424Memory.number(bytes.prefix(3))
    }

    private static func check(_ options: UInt8, _ rights: UInt16) throws(NTAG424Status) {
        let (never, free) = (NTAG424File.never, NTAG424File.free)
        let (metaRead, fileRead) = (UInt8(rights >> 12), UInt8(rights >> 8 & 0xF))
        let (reserved, counterRetrieval) = (UInt8(rights >> 4 & 0xF), UInt8(rights & 0xF))
        let (hasUID, hasCounter) = (options & Option.uid != 0, options & Option.readCounter != 0)
        func isKey(_ condition: UInt8) -> Bool { condition < NTAG424Memory.keyCount }
        let isEncrypting = options & Option.encryptedData != 0
        guard options & Option.reserved == 0, options & Option.ascii != 0, reserved == never,
            isKey(metaRead) || metaRead == free || metaRead == never,
            isKey(fileRead) || fileRead == never,
            isKey(counterRetrieval) || counterRetrieval == free || counterRetrieval == never,
            metaRead == never ? !hasUID : hasUID || hasCounter,
            counterRetrieval == never || hasCounter,
            !isEncrypting || fileRead != never && hasUID && hasCounter,
            options & Option.limit == 0 || hasCounter
        else { throw .parameterError }
    }

    /// Checks that the fields of table 69 fit into the file and do not overlap.
    private func checkPlaces(fileSize: Int) throws(NTAG424Status) {
        var places: [Range<Int>] = []
        for (offset, length) in [
            (uidOffset, Self.uidLength), (counterOffset, Self.counterLength), (piccDataOffset, Self.piccDataLength),
            (encryptedOffset, encryptedLength ?? 0), (macOffset, Self.macLength),
        ] {
            guard let offset else { continue }
            guard offset <= fileSize - length else { throw .parameterError }
            places.append(offset..<offset + length)
        }
        for (index, place) in places.enumerated() where places[..<index].contains(where: { $0.overlaps(place) }) {
            throw .parameterError
        }
        guard let macInputOffset, let macOffset else { return }
        guard macInputOffset <= macOffset else { throw .parameterError }
        guard let encryptedOffset, let encryptedLength else { return }
        guard encryptedLength >= Self.encryptedUnit, encryptedLength.isMultiple(of: Self.encryptedUnit),
            encryptedOffset >= macInputOffset, encryptedOffset + encryptedLength <= macOffset
        else { throw .parameterError }
    }

    /// The settings in the encoding of ChangeFileSettings, from SDMOptions to SDMReadCtrLimit.
    var bytes: [UInt8] {
        var result = [options] + accessRights.bigEndianBytes.reversed()
        let counterOffset =
            hasReadCounter && metaRead == NTAG424File.free ? counterOffset ?? Self.notMirrored : counterOffset
        for number in [
            uidOffset, counterOffset, piccDataOffset, macInputOffset, encryptedOffset, encryptedLength, macOffset,
            limit,
        ] {
            if let number { result += NTAG424Memory.bytes(of: number) }
        }
        return result
    }
}
