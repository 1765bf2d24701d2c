// MIFARE tags — CoreNFC NFCMiFareTag

public import Foundation

/// The families of MIFARE products.
public enum NFCMiFareFamily: UInt, Hashable, Sendable {
    /// Another tag of ISO/IEC 14443 type A.
    case unknown = 1
    /// MIFARE Ultralight, and NTAG 2xx.
    case ultralight = 2
    /// MIFARE Plus.
    case plus = 3
    /// MIFARE DESFire, and NTAG 4xx.
    case desfire = 4
}

/// A MIFARE tag, or another one of ISO/IEC 14443 type A.
///
/// Its operations want it connected, and give code 100 when it has left the field, 104 while it is not connected.
public protocol NFCMiFareTag: NFCNDEFTag, __NFCTag {
    /// The family, by what the tag said when it was activated.
    var mifareFamily: NFCMiFareFamily { get }
    /// The UID: 4, 7 or 10 bytes.
    var identifier: Data { get }
    /// The historical bytes of the answer to select; nil for a tag without ISO-DEP, or without such bytes.
    var historicalBytes: Data? { get }

    /// Sends a native command.
    ///
    /// The CRC is added, and checked on the answer. An Ultralight's answer of four bits that is ACK comes as one byte, `0A`.
    /// Of a DESFire or Plus the answer begins with the status; additional frames (status `AF`) are fetched and joined, except
    /// where the card waits for the next step of an authentication.
    ///
    /// Codes: 102 for NAK and silence of a tag that is still there, 100 when it is gone, 105 for a command that is too long.
    @preconcurrency
    func sendMiFareCommand(
        commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)

    /// Sends a native command.
    func sendMiFareCommand(commandPacket command: Data) async throws -> Data

    /// Sends a command in the form of ISO/IEC 7816-4, to a tag with ISO-DEP, such as a DESFire or Plus; the status word is never an error.
    ///
    /// Additional frames (`91AF`) are fetched and joined, except where the card waits for the next step of an authentication.
    /// A tag without ISO-DEP gives code 1, a wrapped command that is longer than the reader carries 105.
    @preconcurrency
    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)

    /// Sends a command in the form of ISO/IEC 7816-4: data, SW1, SW2.
    func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCMiFareTag {
    /// Sends through the handler form.
    public func sendMiFareCommand(commandPacket command: Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sendMiFareCommand(commandPacket: command) { answer, error in
                continuation.resume(with: Result(answer, unless: error))
            }
        }
    }

    /// Sends through the handler form.
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

    /// Sends a command in the form of ISO/IEC 7816-4.
    @preconcurrency
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
    ) {
        sendMiFareISO7816Command(apdu) { data, sw1, sw2, error in
            resultHandler(Result(NFCISO7816ResponseAPDU(data, sw1, sw2), unless: error))
        }
    }

    /// Sends a command in the form of ISO/IEC 7816-4.
    public func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendMiFareISO7816Command(apdu)
        return NFCISO7816ResponseAPDU(data, sw1, sw2)
    }
}
