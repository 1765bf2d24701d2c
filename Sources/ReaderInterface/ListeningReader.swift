// A reader that acts as a target for other readers — NFC Forum Activity, Listen Mode; ISO/IEC 14443-4

/// The NFC-A target with ISO-DEP that other readers detect while a reader listens.
public struct ListeningTarget: Hashable, Sendable {
    /// SENS_RES (ATQA), 2 bytes, high byte first.
    public var sensRes: [UInt8]
    /// The last three bytes of NFCID1.
    ///
    /// The first byte of NFCID1 is `08`, which means that the identifier is random (ISO/IEC 14443-3).
    public var nfcID1Tail: [UInt8]
    /// SEL_RES (SAK), in which bit 6 indicates ISO-DEP.
    public var selRes: UInt8
    /// The historical bytes of the answer to select, at most ``maxHistoricalBytes``.
    public var historicalBytes: [UInt8]

    /// The SEL_RES of a target that supports only ISO-DEP.
    public static let isoDEP: UInt8 = 0x20
    /// The maximum number of historical bytes that a PN532 can send.
    public static let maxHistoricalBytes = 48

    /// Creates a target.
    ///
    /// The default SENS_RES indicates an NFCID1 of four bytes.
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

    /// Whether all fields have valid lengths and the target supports ISO-DEP.
    public var isValid: Bool {
        sensRes.count == 2 && nfcID1Tail.count == 3 && historicalBytes.count <= Self.maxHistoricalBytes
            && selRes & Self.isoDEP != 0
    }
}

/// A reader that can act as a target, or may be able to.
///
/// The calls block and must be made on the owner's queue. ``Reader/abort()`` ends them. After the first call to
/// ``listen(as:timeout:)``, the reader generates no field, and only these calls, ``Reader/abort()`` and
/// ``Reader/close()`` may be made.
public protocol ListeningReader: Reader {
    /// Checks whether this reader can be a target, without an exchange.
    ///
    /// - Throws: ``ReaderError/cannotListen(connection:reason:)``, or an error that any call may throw.
    func requireListening() throws(ReaderError)

    /// Waits until another reader activates this reader.
    ///
    /// A reader that activated it before sees a new target.
    ///
    /// - Parameters:
    ///   - target: the target that the other reader sees. It must be valid according to ``ListeningTarget/isValid``.
    ///   - timeout: the maximum wait, which must not be zero.
    /// - Returns: false if no reader activated this reader in that time. In that case, listen again.
    /// - Throws: ``ReaderError/cannotListen(connection:reason:)``; ``ReaderError/aborted``;
    ///   ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func listen(as target: ListeningTarget, timeout: Duration) throws(ReaderError) -> Bool

    /// Waits for the next C-APDU from the reader that activated this reader.
    ///
    /// - Parameter timeout: the maximum wait, which must not be zero.
    /// - Returns: the C-APDU, or nil if none arrived in that time.
    /// - Throws: ``ReaderError/initiatorLost`` if the other reader deselected this reader, left, or sent too much data.
    ///   In that case, listen again. Also ``ReaderError/aborted`` and
    ///   ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func receiveCommand(timeout: Duration) throws(ReaderError) -> [UInt8]?

    /// Sends the R-APDU that answers the last received command.
    ///
    /// - Parameter response: at most 262 bytes with a PN532.
    /// - Throws: the errors of ``receiveCommand(timeout:)``; ``ReaderError/commandTooLong(length:limit:)`` before
    ///   anything is sent.
    func sendResponse(_ response: [UInt8]) throws(ReaderError)
}
