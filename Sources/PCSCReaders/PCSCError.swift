// Conversion of PC/SC errors to reader errors

import Clibpcsclite
import ReaderInterface

extension ReaderError {
    /// Returns the reader error for a failed PC/SC call.
    ///
    /// If the card did not answer, this is `noAnswer`. The caller checks whether the card is still present.
    static func pcsc(_ status: PCSCStatus, during operation: String, reader: String) -> ReaderError {
        switch status.meaning {
        case .cardGone: .tagLost
        case .cardSilent, .cardReset: .noAnswer
        case .readerGone:
            .readerFailed(
                operation: operation, reason: "it is no longer connected", code: status.number, fault: .unplugged)
        case .noReader: .noReader(connection: reader)
        case .serviceGone:
            .readerFailed(
                operation: operation, reason: "the smart-card daemon pcscd is not running", code: status.number,
                fault: .noDaemon)
        case .shared: .busy(connection: reader, holder: nil)
        case .refused: .noPermission(connection: reader, path: socket)
        case .cancelled: .aborted
        case .timeout, .other: .readerFailed(operation: operation, reason: status.reason, code: status.number)
        }
    }

    /// The path of pcscd's socket.
    private static let socket = "/run/pcscd/pcscd.comm"
}

extension PCSCStatus {
    /// The result as a signed 32-bit number, which documentation writes in hexadecimal: `0x8010001D`.
    var number: Int32 { Int32(bitPattern: code) }

    /// libpcsclite's description of the result, as a clause for an error message.
    var reason: String {
        guard let text = pcsc_stringify_error(LONG(code)) else { return "PC/SC gave no reason" }
        let words = String(cString: text)
        return "PC/SC says: " + (words.hasSuffix(".") ? String(words.dropLast()) : words)
    }
}
