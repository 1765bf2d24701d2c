// NDEF message decoding — NFC Forum NDEF 1.0

/// Decodes one message from arbitrary bytes.
///
/// Each step advances by at least one header, copies only bytes that exist, and depends only on headers. A length that
/// exceeds the data therefore takes no extra time or memory.
struct NDEFDecoder {
    private let bytes: [UInt8]
    private var offset = 0
    private var payloadLeft = NDEFMessage.maximumPayloadLength

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func message() throws(NDEFError) -> [NDEFRecord] {
        var records: [NDEFRecord] = []
        var header = try header()
        try header.expect(.mb, at: header.offset, header.messageBegin ? 1 : 0, is: 1, "in the first record")
        while true {
            let (record, last) = try record(header)
            records.append(record)
            if last.messageEnd { break }
            guard offset < bytes.count else {
                throw NDEFError(.me, at: last.offset, .value(0, expected: "1 in the last record"))
            }
            header = try self.header()
            try header.expect(.mb, at: header.offset, header.messageBegin ? 1 : 0, is: 0, "after the first record")
        }
        guard offset == bytes.count else { throw NDEFError(.me, at: offset, .trailing(bytes.count - offset)) }
        return records
    }

    /// Decodes the record whose first header is `first`.
    ///
    /// Returns it with the header of its last chunk, which contains ME.
    private mutating func record(_ first: RecordHeader) throws(NDEFError) -> (NDEFRecord, last: RecordHeader) {
        try first.check(payloadLeft: payloadLeft)
        let type = try take(first.typeLength, .type)
        let identifier = try take(first.idLength ?? 0, .id)
        var payload = Array(try take(first.payloadLength, .payload))
        payloadLeft -= first.payloadLength
        var last = first
        while last.chunk {
            guard offset < bytes.count else {
                throw NDEFError(.cf, at: last.offset, .value(1, expected: "0 in the last chunk"))
            }
            last = try header()
            try last.checkChunk(after: first, payloadLeft: payloadLeft)
            payload += try take(last.payloadLength, .payload)
            payloadLeft -= last.payloadLength
        }
        let record = NDEFRecord(tnf: first.tnf, type: Array(type), identifier: Array(identifier), payload: payload)
        return (record, last)
    }

    private mutating func header() throws(NDEFError) -> RecordHeader {
        let start = offset
        let flags = try number(bytes: 1, .mb)
        let isSet = { (flag: UInt8) in UInt8(truncatingIfNeeded: flags) & flag != 0 }
        let header = RecordHeader(
            offset: start,
            messageBegin: isSet(RecordHeader.mb), messageEnd: isSet(RecordHeader.me),
            chunk: isSet(RecordHeader.cf), shortRecord: isSet(RecordHeader.sr),
            tnf: TypeNameFormat(rawValue: UInt8(truncatingIfNeeded: flags) & RecordHeader.tnfMask) ?? .reserved,
            typeLength: try number(bytes: 1, .typeLength),
            payloadLength: try number(bytes: isSet(RecordHeader.sr) ? 1 : 4, .payloadLength),
            idLength: isSet(RecordHeader.il) ? try number(bytes: 1, .idLength) : nil)
        try header.checkEnd()
        return header
    }

    /// Reads a big-endian number of 1 or 4 bytes.
    ///
    /// If the number does not fit into an `Int`, the result is `Int.max`, which exceeds every limit.
    private mutating func number(bytes count: Int, _ field: NDEFError.Field) throws(NDEFError) -> Int {
        try require(count, field)
        defer { offset += count }
        var number: UInt32 = 0
        for index in offset..<offset + count { number = number << 8 | UInt32(bytes[index]) }
        return Int(clamping: number)
    }

    private mutating func take(_ count: Int, _ field: NDEFError.Field) throws(NDEFError) -> ArraySlice<UInt8> {
        try require(count, field)
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    private func require(_ count: Int, _ field: NDEFError.Field) throws(NDEFError) {
        let left = bytes.count - offset
        guard count <= left else { throw NDEFError(field, at: offset, .missing(needed: count, left: left)) }
    }
}
