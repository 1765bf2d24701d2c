// libnfc's NFC_E… codes, grouped by what the caller does next

import Clibnfc
import ReaderInterface

extension ReaderError {
    /// Returns the error for a negative result of a libnfc call on an activated target or a reader.
    ///
    /// libnfc reports a NAK, silence and a broken RF frame all as `NFC_ERFTRANS`. `NFC_ETIMEOUT` means that the *chip*
    /// did not answer, because radio time-outs are reported as `NFC_ERFTRANS`.
    static func libnfc(_ code: CInt, during operation: String) -> ReaderError {
        switch code {
        case NFC_ERFTRANS, NFC_EMFCAUTHFAIL: .noAnswer
        case NFC_ETGRELEASED: .tagLost
        case NFC_EOPABORTED: .aborted
        default: .readerFailed(operation: operation, reason: reason(for: code), code: code, fault: fault(for: code))
        }
    }

    /// Returns the reader's fault for libnfc's code, or for an errno that pn53x_usb passes on.
    private static func fault(for code: CInt) -> ReaderFault {
        switch code {
        // ENODEV, ESHUTDOWN
        case NFC_ENOTSUCHDEV, -19, -108: .unplugged
        // EBUSY
        case -16: .taken
        default: .other
        }
    }

    private static func reason(for code: CInt) -> String {
        switch code {
        case NFC_EIO: "its frames were broken or did not arrive"
        case NFC_ETIMEOUT: "it did not answer in time"
        case NFC_ENOTSUCHDEV: "it is no longer connected"
        case NFC_EDEVNOTSUPP, NFC_ENOTIMPL: "it cannot do this"
        case NFC_EOVFLOW: "its answer was too long"
        case NFC_ECHIP: "its chip reported an error"
        // pn53x_usb passes errno values on.
        case -110: "it did not answer in time"
        case -19, -108: "it is no longer connected"
        case -32, -71, -75, -84: "the USB bus reported an error"
        default: "libnfc refused"
        }
    }
}
