// The handler form for APDUs, for an app's own tags that implement the async form — CoreNFC NFCISO7816Tag

public import Foundation

extension NFCISO7816Tag {
    /// Calls the `async` form of this method.
    @preconcurrency
    public func sendCommand(
        apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCISO7816Tag = self
        Task {
            do {
                let (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
                completionHandler(data, sw1, sw2, nil)
            } catch {
                completionHandler(Data(), 0, 0, error)
            }
        }
    }
}
