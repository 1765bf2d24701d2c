// The results of PC/SC calls and their meaning for a reader — pcsc-lite's pcsclite.h; PC/SC part 5

import Clibpcsclite

struct PCSCStatus: Error, Hashable, Sendable {
    /// The 32 bits of the result, for example `8010000C`.
    let code: UInt32

    /// Creates a status from the result of a PC/SC call.
    ///
    /// LONG has 64 bits on Linux.
    init(_ result: LONG) { code = UInt32(truncatingIfNeeded: result) }

    enum Meaning: Hashable {
        case cardGone
        /// The card did not answer, or the answer was damaged.
        ///
        /// The card may still be present.
        case cardSilent
        /// pcscd or another program has reset the card or cut its power.
        case cardReset
        case readerGone
        case noReader
        /// pcscd is not running, or has ended.
        case serviceGone
        /// Another program has exclusive use of the card.
        case shared
        /// polkit or the permissions of pcscd's socket denied access.
        case refused
        case timeout
        case cancelled
        case other
    }

    var meaning: Meaning { Self.meanings[self] ?? .other }

    private static let meanings: [PCSCStatus: Meaning] = [
        PCSCStatus(SCARD_E_NO_SMARTCARD): .cardGone, PCSCStatus(SCARD_W_REMOVED_CARD): .cardGone,
        PCSCStatus(SCARD_E_NOT_TRANSACTED): .cardSilent, PCSCStatus(SCARD_W_UNRESPONSIVE_CARD): .cardSilent,
        PCSCStatus(SCARD_E_COMM_DATA_LOST): .cardSilent, PCSCStatus(SCARD_W_UNSUPPORTED_CARD): .cardSilent,
        PCSCStatus(SCARD_E_PROTO_MISMATCH): .cardSilent,
        PCSCStatus(SCARD_W_RESET_CARD): .cardReset, PCSCStatus(SCARD_W_UNPOWERED_CARD): .cardReset,
        PCSCStatus(SCARD_E_READER_UNAVAILABLE): .readerGone, PCSCStatus(SCARD_E_INVALID_VALUE): .readerGone,
        PCSCStatus(SCARD_E_UNKNOWN_READER): .readerGone,
        PCSCStatus(SCARD_E_NO_READERS_AVAILABLE): .noReader,
        PCSCStatus(SCARD_E_NO_SERVICE): .serviceGone, PCSCStatus(SCARD_E_SERVICE_STOPPED): .serviceGone,
        PCSCStatus(SCARD_F_COMM_ERROR): .serviceGone, PCSCStatus(SCARD_E_INVALID_HANDLE): .serviceGone,
        PCSCStatus(SCARD_E_SHARING_VIOLATION): .shared,
        PCSCStatus(SCARD_W_SECURITY_VIOLATION): .refused, PCSCStatus(SCARD_E_NO_ACCESS): .refused,
        PCSCStatus(SCARD_E_TIMEOUT): .timeout, PCSCStatus(SCARD_E_CANCELLED): .cancelled,
    ]
}

extension PCSCStatus {
    static let shared = PCSCStatus(SCARD_E_SHARING_VIOLATION)
    static let serviceGone = PCSCStatus(SCARD_E_NO_SERVICE)
    static let readerGone = PCSCStatus(SCARD_E_READER_UNAVAILABLE)
    static let cancelled = PCSCStatus(SCARD_E_CANCELLED)

    static func check(_ result: LONG) throws(PCSCStatus) {
        guard UInt32(truncatingIfNeeded: result) == 0 else { throw PCSCStatus(result) }
    }
}
