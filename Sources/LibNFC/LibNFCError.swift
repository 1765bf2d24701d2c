// libnfc's NFC_E… codes, told apart by what the caller does next

import Clibnfc
import ReaderInterface

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
        default: .readerFailed(operation: operation, reason: reason(for: code), code: code, fault: fault(for: code))
        }
    }

    /// What libnfc's code, or errno that pn53x_usb gives away, says of the reader.
    private static func fault(for code: CInt) -> ReaderFault {
        switch code {
        // ENODEV, ESHUTDOWN
        case NFC_ENOTSUCHDEV, -19, -108: .unplugged
        // EBUSY
        case -16: .taken
        default: .other
        }
    }

    /// What libnfc's code means, as a clause.
    private static func reason(for code: CInt) -> String {
        switch code {
        case NFC_EIO: "its frames were broken or did not come"
        case NFC_ETIMEOUT: "it did not answer in time"
        case NFC_ENOTSUCHDEV: "it is no longer connected"
        case NFC_EDEVNOTSUPP, NFC_ENOTIMPL: "it cannot do this"
        case NFC_EOVFLOW: "its answer was too long"
        case NFC_ECHIP: "its chip reported an error"
        // What pn53x_usb gives away is errno.
        case -110: "it did not answer in time"
        case -19, -108: "it is no longer connected"
        case -32, -71, -75, -84: "the USB bus reported an error"
        default: "libnfc refused"
        }
    }
}
