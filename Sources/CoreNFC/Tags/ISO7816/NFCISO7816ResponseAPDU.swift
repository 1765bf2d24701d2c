// A card's answer — CoreNFC NFCISO7816ResponseAPDU; ISO/IEC 7816-4

public import Foundation

/// A card's answer to a command.
public struct NFCISO7816ResponseAPDU: Sendable {
    /// Status byte SW1.
    public var statusWord1: UInt8
    /// Status byte SW2.
    public var statusWord2: UInt8
    /// The response data field, or nil if there is none.
    public var payload: Data?

    /// Creates an answer.
    ///
    /// The label is misspelt in Apple's SDK, too.
    public init(statusWord1: UInt8, statusWord2: UInt8, paylaod: Data?) {
        (self.statusWord1, self.statusWord2, payload) = (statusWord1, statusWord2, paylaod)
    }

    /// Creates an answer from the arguments of a completion handler.
    init(_ data: Data, _ sw1: UInt8, _ sw2: UInt8) {
        self.init(statusWord1: sw1, statusWord2: sw2, paylaod: data.isEmpty ? nil : data)
    }
}
