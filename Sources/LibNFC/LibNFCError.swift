// libnfc's NFC_E… codes, told apart by what the caller does next

import Clibnfc
import NFCReader

extension ReaderError {
    /// The error for a negative result of a libnfc call on an activated target or a reader.
    ///
    /// `NFC_ERFTRANS` is all that libnfc tells of a NAK, silence or a broken RF frame. `NFC_ETIMEOUT` means that the
    /// *chip* was silent: the radio's own time-outs come back as `NFC_ERFTRANS`.
    static func libnfc(_ code: CInt, during operation: String) -> ReaderError {
        switch code {
        case NFC_ERFTRANS, NFC_EMFCAUTHFAIL: .noAnswer
        case NFC_ETGRELEASED: .tagLost
        case NFC_EOPABORTED: .aborted
        default: .readerFailed(operation: operation, code: code)
        }
    }
}
