// Commands for the reader itself — ISO/IEC 7816-4 command-response pairs, PC/SC part 3

/// A parsed command APDU for the reader.
struct PseudoAPDU {
    let bytes: [UInt8]
    let ins, p1, p2: UInt8
    let data: [UInt8]
    /// The number of bytes that the command requests; nil if Le is missing or zero, which requests all bytes.
    let wanted: Int?

    /// Parses a command APDU.
    ///
    /// Returns nil unless its lengths match one of the cases in the standard.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.bytes = bytes
        (ins, p1, p2) = (bytes[1], bytes[2], bytes[3])
        var rest = bytes.dropFirst(4)
        let isExtended = rest.count >= 3 && rest.first == 0
        if isExtended { rest = rest.dropFirst() }
        let size = isExtended ? 2 : 1
        func number() -> Int { rest.prefix(size).reduce(0) { $0 << 8 | Int($1) } }
        if rest.count > size {
            let count = number()
            rest = rest.dropFirst(size)
            guard rest.count == count || rest.count == count + size else { return nil }
            data = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        } else {
            data = []
        }
        guard rest.isEmpty || rest.count == size else { return nil }
        let le = number()
        wanted = rest.isEmpty || le == 0 ? nil : le
    }

    /// Returns the data and the status word 9000.
    ///
    /// If fewer bytes are requested, returns only 6Cxx. If more bytes are requested, returns the data and 6282.
    func answer(_ data: [UInt8]) -> [UInt8] {
        guard let wanted, wanted != data.count else { return data + StatusWord.success.bytes }
        if wanted < data.count { return [0x6C, UInt8(truncatingIfNeeded: data.count)] }
        return data + StatusWord.endOfData.bytes
    }
}

/// The status words that readers return — PC/SC part 3, and ACS's manuals.
enum StatusWord: UInt16 {
    case success = 0x9000
    case endOfData = 0x6282
    /// The operation failed.
    ///
    /// ACS readers also return this if a tag does not answer.
    case failed = 0x6300
    /// There was no answer in time.
    ///
    /// libccid uses this status word for a CCID time-out, and so does the transparent session.
    case timeout = 0x6401
    case memoryFailure = 0x6581
    case wrongLength = 0x6700
    case securityStatusNotSatisfied = 0x6982
    case keyUnusable = 0x6984
    case notAllowed = 0x6986
    case functionNotSupported = 0x6A81
    case noSuchBlock = 0x6A82
    case wrongParameters = 0x6B00
    case instructionNotSupported = 0x6D00

    var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
