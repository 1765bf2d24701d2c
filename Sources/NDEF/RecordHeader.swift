// The NDEF record header — NFC Forum NDEF 1.0

/// The fields before TYPE: `flags and TNF (1), TYPE_LENGTH (1), PAYLOAD_LENGTH (1 or 4), ID_LENGTH (0 or 1)`.
struct RecordHeader {
    let offset: Int
    /// Whether the record is the first in the message (MB).
    let messageBegin: Bool
    /// Whether the record is the last in the message (ME).
    let messageEnd: Bool
    /// Whether another chunk of the record follows (CF).
    let chunk: Bool
    /// Whether PAYLOAD_LENGTH has one byte instead of four (SR).
    let shortRecord: Bool
    let tnf: TypeNameFormat
    let typeLength: Int
    let payloadLength: Int
    /// The length of the ID; nil if IL is 0, so that the header contains no ID_LENGTH.
    let idLength: Int?

    static let mb: UInt8 = 0x80
    static let me: UInt8 = 0x40
    static let cf: UInt8 = 0x20
    static let sr: UInt8 = 0x10
    static let il: UInt8 = 0x08
    static let tnfMask: UInt8 = 0x07

    var typeLengthOffset: Int { offset + 1 }
    var payloadLengthOffset: Int { offset + 2 }
    var idLengthOffset: Int { payloadLengthOffset + (shortRecord ? 1 : 4) }
    var length: Int { idLengthOffset + (idLength == nil ? 0 : 1) - offset }
}

extension RecordHeader {
    /// Creates the header with which a record is encoded.
    ///
    /// It is never the header of a chunk.
    init(of record: NDEFRecord, offset: Int, isFirst: Bool, isLast: Bool) {
        self.offset = offset
        messageBegin = isFirst
        messageEnd = isLast
        chunk = false
        shortRecord = record.payload.count < 256
        tnf = record.tnf
        typeLength = record.type.count
        payloadLength = record.payload.count
        idLength = record.identifier.isEmpty ? nil : record.identifier.count
    }

    /// Appends the encoded header.
    ///
    /// ``check(payloadLeft:)`` must have been successful before.
    func append(to bytes: inout [UInt8]) {
        var flags = tnf.rawValue
        if messageBegin { flags |= Self.mb }
        if messageEnd { flags |= Self.me }
        if shortRecord { flags |= Self.sr }
        if idLength != nil { flags |= Self.il }
        bytes += [flags, UInt8(truncatingIfNeeded: typeLength)]
        for shift in shortRecord ? [0] : [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: payloadLength >> shift))
        }
        if let idLength { bytes.append(UInt8(truncatingIfNeeded: idLength)) }
    }
}

extension RecordHeader {
    /// Checks the header of an unchunked record or of a first chunk against the rules for its TNF.
    func check(payloadLeft: Int) throws(NDEFError) {
        try expect(.typeLength, at: typeLengthOffset, typeLength, atMost: 255)
        try expect(.idLength, at: idLengthOffset, idLength ?? 0, atMost: 255)
        switch tnf {
        case .wellKnown, .media, .absoluteURI, .external:
            break
        case .empty:
            try expect(.typeLength, at: typeLengthOffset, typeLength, is: 0, "in an Empty record")
            try expect(.idLength, at: idLengthOffset, idLength ?? 0, is: 0, "in an Empty record")
            try expect(.payloadLength, at: payloadLengthOffset, payloadLength, is: 0, "in an Empty record")
        case .unknown, .reserved:
            try expect(.typeLength, at: typeLengthOffset, typeLength, is: 0, "under TNF \(tnf.rawValue)")
        case .unchanged:
            throw NDEFError(.tnf, at: offset, .value(6, expected: "0 to 5 or 7 where a record begins"))
        }
        try expect(.payloadLength, at: payloadLengthOffset, payloadLength, atMost: payloadLeft)
    }

    /// Checks the header of a chunk that continues the record whose first header is `first`.
    func checkChunk(after first: RecordHeader, payloadLeft: Int) throws(NDEFError) {
        let place = "in a chunk after the first"
        try expect(.mb, at: offset, messageBegin ? 1 : 0, is: 0, place)
        try expect(.il, at: offset, idLength == nil ? 0 : 1, is: 0, place)
        try expect(.tnf, at: offset, Int(tnf.rawValue), is: 6, place)
        try expect(.typeLength, at: typeLengthOffset, typeLength, is: 0, place)
        if first.tnf == .empty {
            try expect(.payloadLength, at: payloadLengthOffset, payloadLength, is: 0, "in an Empty record")
        }
        try expect(.payloadLength, at: payloadLengthOffset, payloadLength, atMost: payloadLeft)
    }

    /// Checks a rule for all headers: if another chunk follows, ME must not be set.
    func checkEnd() throws(NDEFError) {
        if chunk { try expect(.me, at: offset, messageEnd ? 1 : 0, is: 0, "while CF is 1") }
    }

    func expect(
        _ field: NDEFError.Field, at offset: Int, _ found: Int, is expected: Int, _ place: @autoclosure () -> String
    ) throws(NDEFError) {
        guard found == expected else {
            throw NDEFError(field, at: offset, .value(found, expected: "\(expected) \(place())"))
        }
    }

    private func expect(_ field: NDEFError.Field, at offset: Int, _ found: Int, atMost limit: Int) throws(NDEFError) {
        guard found <= limit else { throw NDEFError(field, at: offset, .value(found, expected: "at most \(limit)")) }
    }
}
