// MIFARE tags — CoreNFC NFCMiFareTag

public import Foundation

/// The families of MIFARE products.
public enum NFCMiFareFamily: UInt, Hashable, Sendable {
    /// Any other ISO/IEC 14443 type A tag.
    case unknown = 1
    /// MIFARE Ultralight, and NTAG 2xx.
    case ultralight = 2
    /// MIFARE Plus.
    case plus = 3
    /// MIFARE DESFire, and NTAG 4xx.
    case desfire = 4
}

/// A MIFARE tag, or any other ISO/IEC 14443 type A tag.
///
/// Its operations require a connection. They give code 100 if the tag has left the field, and 104 while it is not
/// connected.
public protocol NFCMiFareTag: NFCNDEFTag, __NFCTag {
    /// The family, according to the tag's answers when it was activated.
    var mifareFamily: NFCMiFareFamily { get }
    /// The UID: 4, 7 or 10 bytes.
    var identifier: Data { get }
    /// The historical bytes in the answer to select.
    ///
    /// Nil if the tag has no ISO-DEP or no such bytes.
    var historicalBytes: Data? { get }

    /// Sends a native command.
    ///
    /// The CRC is added to the command and checked in the answer. A 4-bit ACK of an Ultralight is returned as one byte,
    /// `0A`. For a DESFire or Plus, the answer begins with the status. Additional frames (status `AF`) are fetched and
    /// joined, unless the card waits for the next step of an authentication.
    ///
    /// Error codes: 102 for a NAK, or if a tag that is still present does not answer; 100 if the tag is gone; 105 for a
    /// command that is too long.
    @preconcurrency
    func sendMiFareCommand(
        commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)

    /// Sends a native command.
    func sendMiFareCommand(commandPacket command: Data) async throws -> Data

    /// Sends an ISO/IEC 7816-4 command to a tag with ISO-DEP, such as a DESFire or Plus.
    ///
    /// The status word is never reported as an error. Additional frames (`91AF`) are fetched and joined, unless the
    /// card waits for the next step of an authentication. A tag without ISO-DEP gives code 1, and a wrapped command
    /// that is too long for the reader gives code 105.
    @preconcurrency
    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)

    /// Sends an ISO/IEC 7816-4 command, and returns the data, SW1 and SW2.
    func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCMiFareTag {
    /// Calls the form of this method with a completion handler.
    public func sendMiFareCommand(commandPacket command: Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sendMiFareCommand(commandPacket: command) { answer, error in
                continuation.resume(with: Result(answer, unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
        try await withCheckedThrowingContinuation { continuation in
            sendMiFareISO7816Command(apdu) { data, sw1, sw2, error in
                continuation.resume(with: Result((data, sw1, sw2), unless: error))
            }
        }
    }

    /// Sends a native command.
    @preconcurrency
    public func sendMiFareCommand(
        commandPacket command: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendMiFareCommand(commandPacket: command) { answer, error in
            resultHandler(Result(answer, unless: error))
        }
    }

    /// Sends an ISO/IEC 7816-4 command.
    @preconcurrency
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
    ) {
        sendMiFareISO7816Command(apdu) { data, sw1, sw2, error in
            resultHandler(Result(NFCISO7816ResponseAPDU(data, sw1, sw2), unless: error))
        }
    }

    /// Sends an ISO/IEC 7816-4 command.
    public func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendMiFareISO7816Command(apdu)
        return NFCISO7816ResponseAPDU(data, sw1, sw2)
    }
}
