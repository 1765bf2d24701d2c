// The response of a reader or a card — ISO/IEC 7816-4, 5.1

import ReaderInterface

struct ReaderResponse: Hashable {
    let data: [UInt8]
    /// SW1 and SW2.
    let sw: UInt16
    private let isWhole: Bool

    /// Parses the bytes of a response.
    ///
    /// Returns nil if there are no bytes. A single byte is data without a status word, which cards that do not follow
    /// ISO/IEC 7816-4 may send.
    init?(_ bytes: [UInt8]) {
        guard bytes.count != 1 else {
            (data, sw, isWhole) = (bytes, 0, false)
            return
        }
        guard bytes.count >= 2 else { return nil }
        isWhole = true
        data = Array(bytes.dropLast(2))
        sw = UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
    }

    var isSuccess: Bool { sw == 0x9000 }

    /// Whether the card, or the reader on its behalf, refused the command for a reason other than a radio error.
    ///
    /// 67xx: wrong length. 69xx: command not allowed. 6Axx and 6Bxx: wrong parameters. 6Dxx and 6Exx: command not
    /// supported. 6300 only means that the command failed.
    var isRefusal: Bool { [0x67, 0x69, 0x6A, 0x6B, 0x6D, 0x6E].contains(sw >> 8) }

    /// Whether the command succeeded or was refused, including for its length (6Cxx).
    ///
    /// In these cases, the same command would give the same response again.
    var isCertain: Bool { isSuccess || isRefusal || sw >> 8 == 0x6C }

    /// All bytes, with the status word, if any, at the end.
    var bytes: [UInt8] { isWhole ? data + [UInt8(sw >> 8), UInt8(sw & 0xFF)] : data }
}

/// A connection that carries APDUs to a reader.
///
/// It leads to pcscd or, in a test, to simulated data.
protocol APDUCarrier: AnyObject {
    /// Sends a command APDU, and returns the response.
    ///
    /// - Throws: `noAnswer` if the card did not answer; `tagLost` if the card was removed. An empty response is
    ///   reported as one of these errors.
    func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse
}
