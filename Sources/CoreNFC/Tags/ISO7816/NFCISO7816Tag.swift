// Cards with applications — CoreNFC NFCISO7816Tag; ISO/IEC 7816-4 over ISO/IEC 14443-4

public import Foundation

/// A card with applications, of ISO/IEC 14443 type A or B.
///
/// Its operations require a connection, and give code 100 when the card has left the field, 104 while it is not connected.
/// Only ``sendCommand(apdu:completionHandler:)`` connects by itself, when no tag is connected.
public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
    /// The identifier of the application that the session selected, in upper-case hex; it is selected again by each connect.
    ///
    /// Empty when none was.
    var initialSelectedAID: String { get }
    /// The UID of a card of type A, the PUPI of one of type B.
    var identifier: Data { get }
    /// The historical bytes of the answer to select of a card of type A; nil when there are none.
    var historicalBytes: Data? { get }
    /// The application data of a card of type B, 4 bytes; nil for one of type A.
    var applicationData: Data? { get }
    /// Whether the application data follows a rule of its maker's, not that of ISO/IEC 14443-3.
    var proprietaryApplicationDataCoding: Bool { get }

    /// Sends a command; the status word is never an error.
    ///
    /// A command that is longer than the reader carries goes as a chain of commands (CLA bit 5, ISO/IEC 7816-4), whose answer
    /// is that to the last, or to the first that the card refused.
    ///
    /// Codes: 2 for SELECT of an application that is not among the session's identifiers, where it was given some; 4 and 5 for
    /// lengths that no APDU has; 102 for an answer without status word, 100 when the card is gone.
    @preconcurrency
    func sendCommand(
        apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void)

    /// Sends a command: data, SW1, SW2.
    func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCISO7816Tag {
    /// Sends through the handler form.
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
