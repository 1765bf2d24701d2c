// What a reader or a card answered — ISO/IEC 7816-4, 5.1

import ReaderInterface

/// A response APDU.
struct ReaderResponse: Hashable {
    /// The data field.
    let data: [UInt8]
    /// SW1 and SW2.
    let sw: UInt16
    private let isWhole: Bool

    /// Parses the bytes of a response; nil if there are none.
    ///
    /// A single byte is data without a status word. Cards that do not follow ISO/IEC 7816-4 may answer so.
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

    /// 9000.
    var isSuccess: Bool { sw == 0x9000 }

    /// The card, or the reader for it, refused the command, and gave a reason that is no accident of the radio.
    ///
    /// 69xx command not allowed, 6Axx wrong parameters, 6Dxx and 6Exx unknown. 6300 says no more than that it failed.
    var isRefusal: Bool { [0x67, 0x69, 0x6A, 0x6B, 0x6D, 0x6E].contains(sw >> 8) }

    /// It succeeded or was refused, also for its length (6Cxx): the same command has the same response again.
    var isCertain: Bool { isSuccess || isRefusal || sw >> 8 == 0x6C }

    /// All bytes, the status word last.
    var bytes: [UInt8] { isWhole ? data + [UInt8(sw >> 8), UInt8(sw & 0xFF)] : data }
}

/// What carries APDUs to a reader: pcscd, or a test.
protocol APDUCarrier: AnyObject {
    /// Sends a command APDU and returns the response.
    ///
    /// - Throws: `noAnswer` when the card was silent, `tagLost` when it is gone; a response without a status word is
    ///   one of them.
    func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse
}
