// Cards with applications — CoreNFC NFCISO7816Tag; ISO/IEC 7816-4 over ISO/IEC 14443-4

public import Foundation

/// A card with applications, of ISO/IEC 14443 type A or B.
///
/// Its operations require a connection. They give code 100 if the card has left the field, and 104 while it is not
/// connected. Only ``sendCommand(apdu:completionHandler:)``, and in an ``NFCNDEFReaderSession`` also
/// ``NFCNDEFTag/readNDEF(completionHandler:)``, connect the card themselves if no tag is connected.
public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
    /// The identifier of the application that the session selected, in upper-case hex.
    ///
    /// The application is selected again each time the card is connected. The identifier is empty if the session
    /// selected no application.
    var initialSelectedAID: String { get }
    /// The UID of a type A card, or the PUPI of a type B card.
    var identifier: Data { get }
    /// The historical bytes in a type A card's answer to select, or nil if there are none.
    var historicalBytes: Data? { get }
    /// The application data of a type B card, 4 bytes, or nil for a type A card.
    var applicationData: Data? { get }
    /// Whether the coding of the application data is proprietary, not that of ISO/IEC 14443-3.
    var proprietaryApplicationDataCoding: Bool { get }

    /// Sends a command.
    ///
    /// The status word is never reported as an error. A command that is too long for the reader is sent as a chain of
    /// commands (CLA bit 5, ISO/IEC 7816-4). The call returns the card's answer to the last command, or to the
    /// first command that the card refused.
    ///
    /// Error codes: 2 for a SELECT if the session has identifiers and the application is not one of them; 4 and 5 for
    /// invalid lengths; 102 for an answer without a status word; 100 if the card is gone.
    @preconcurrency
    func sendCommand(
        apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)

    /// Sends a command, and returns the data, SW1 and SW2.
    func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCISO7816Tag {
    /// Calls the form of this method with a completion handler.
    public func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
        try await withCheckedThrowingContinuation { continuation in
            sendCommand(apdu: apdu) { data, sw1, sw2, error in
                continuation.resume(with: Result((data, sw1, sw2), unless: error))
            }
        }
    }

    /// Sends a command.
    @preconcurrency
    public func sendCommand(
        apdu: NFCISO7816APDU, resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
    ) {
        sendCommand(apdu: apdu) { data, sw1, sw2, error in
            resultHandler(Result(NFCISO7816ResponseAPDU(data, sw1, sw2), unless: error))
        }
    }

    /// Sends a command.
    public func sendCommand(apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendCommand(apdu: apdu)
        return NFCISO7816ResponseAPDU(data, sw1, sw2)
    }
}
