// A reader that is a target itself, for other readers to find — NFC Forum Activity, Listen Mode; ISO/IEC 14443-4

/// What another reader sees of a reader that listens: an NFC-A target with ISO-DEP.
public struct ListeningTarget: Hashable, Sendable {
    /// SENS_RES (ATQA), 2 bytes, the high byte first.
    public var sensRes: [UInt8]
    /// The last three bytes of NFCID1, which begins with `08`: such a one counts as made up anew each time (ISO/IEC 14443-3).
    public var nfcID1Tail: [UInt8]
    /// SEL_RES (SAK); bit 6 says ISO-DEP.
    public var selRes: UInt8
    /// The historical bytes of the answer to select, at most ``maxHistoricalBytes``.
    public var historicalBytes: [UInt8]

    /// ISO-DEP and nothing else.
    public static let isoDEP: UInt8 = 0x20
    /// As many as a PN532 sends.
    public static let maxHistoricalBytes = 48

    /// Makes a target; the default SENS_RES says: one NFCID1 of four bytes.
    public init(
        nfcID1Tail: [UInt8], sensRes: [UInt8] = [0x00, 0x04], selRes: UInt8 = Self.isoDEP, historicalBytes: [UInt8] = []
    ) {
        self.sensRes = sensRes
        self.nfcID1Tail = nfcID1Tail
        self.selRes = selRes
        self.historicalBytes = historicalBytes
    }

    /// The whole NFCID1.
    public var nfcID1: [UInt8] { [0x08] + nfcID1Tail }

    /// Whether the fields have the lengths that can be sent, and the target speaks ISO-DEP.
    public var isValid: Bool {
        sensRes.count == 2 && nfcID1Tail.count == 3 && historicalBytes.count <= Self.maxHistoricalBytes
            && selRes & Self.isoDEP != 0
    }
}

/// A reader that can be a target, or may be able to.
///
/// The calls block and are made on the owner's queue; ``Reader/abort()`` ends them. From the first listening on there is no field, and no
/// other call but these, ``Reader/abort()`` and ``Reader/close()`` may be made.
public protocol ListeningReader: Reader {
    /// Looks whether this reader can be a target, without an exchange.
    /// - Throws: ``ReaderError/cannotListen(connection:reason:)``; what any call throws.
    func requireListening() throws(ReaderError)

    /// Waits to be activated by another reader; a reader that had activated it before finds it anew.
    ///
    /// - Parameters:
    ///   - target: what the other reader sees; ``ListeningTarget/isValid``.
    ///   - timeout: the longest wait, more than zero.
    /// - Returns: false when none came in that time: listen again.
    /// - Throws: ``ReaderError/cannotListen(connection:reason:)``; ``ReaderError/aborted``;
    ///   ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func listen(as target: ListeningTarget, timeout: Duration) throws(ReaderError) -> Bool

    /// Waits for the next C-APDU of the reader that activated this one.
    ///
    /// - Parameter timeout: the longest wait, more than zero.
    /// - Returns: nil when none came in that time.
    /// - Throws: ``ReaderError/initiatorLost`` when the other reader deselected this one, went away or sent what is too long:
    ///   listen again. ``ReaderError/aborted``; ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func receiveCommand(timeout: Duration) throws(ReaderError) -> [UInt8]?

    /// Sends the R-APDU to the command received last.
    ///
    /// - Parameter response: at most 262 bytes with a PN532.
    /// - Throws: as ``receiveCommand(timeout:)``; ``ReaderError/commandTooLong(length:limit:)`` before anything is sent.
    func sendResponse(_ response: [UInt8]) throws(ReaderError)
}
