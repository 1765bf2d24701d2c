// Command APDU — ISO/IEC 7816-4, command-response pairs (short and extended length fields)

/// A parsed command APDU.
struct CommandAPDU: Hashable, Sendable {
    let cla: UInt8
    let ins: UInt8
    let p1: UInt8
    let p2: UInt8
    /// The command data field, which has Nc bytes.
    let data: [UInt8]
    /// The maximum number of bytes that the command requests (Ne); nil if the command has no Le field.
    let ne: Int?
    /// Whether all bytes of the Le field are zero, which requests all available bytes.
    let wantsAll: Bool

    /// Parses a command APDU.
    ///
    /// Returns nil unless the lengths match one of cases 1 to 4 in the standard.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        (cla, ins, p1, p2) = (bytes[0], bytes[1], bytes[2], bytes[3])
        let body = Array(bytes[4...])
        let isExtended = body.count >= 3 && body[0] == 0
        let lengthSize = isExtended ? 2 : 1
        // In extended length, skip the zero before Lc, or before Le if there is no Lc.
        var rest = body.dropFirst(isExtended ? 1 : 0)
        if rest.count > lengthSize {
            let nc = Self.length(rest.prefix(lengthSize))
            rest = rest.dropFirst(lengthSize)
            guard nc > 0, rest.count >= nc else { return nil }
            data = Array(rest.prefix(nc))
            rest = rest.dropFirst(nc)
        } else {
            data = []
        }
        switch rest.count {
        case 0:
            (ne, wantsAll) = (nil, false)
        case lengthSize:
            let le = Self.length(rest)
            (ne, wantsAll) = (le == 0 ? 1 << (8 * lengthSize) : le, le == 0)
        default:
            return nil
        }
    }

    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The status word of a response APDU.
enum StatusWord: UInt16, Error {
    case success = 0x9000
    /// The end of the file was reached before Ne bytes were read.
    case endOfFile = 0x6282
    case wrongLength = 0x6700
    /// A different command arrived before the command chain was complete.
    case lastCommandExpected = 0x6883
    case securityStatusNotSatisfied = 0x6982
    case conditionsNotSatisfied = 0x6985
    case noCurrentFile = 0x6986
    case wrongData = 0x6A80
    case fileNotFound = 0x6A82
    case notEnoughMemory = 0x6A84
    case wrongParameters = 0x6A86
    case lengthInconsistent = 0x6A87
    case wrongOffset = 0x6B00
    case instructionNotSupported = 0x6D00
    case classNotSupported = 0x6E00

    var bytes: [UInt8] { [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)] }
}
