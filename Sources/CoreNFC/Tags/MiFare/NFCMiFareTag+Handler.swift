// The handler forms of MIFARE commands, for an app's own tags that implement the async forms — CoreNFC NFCMiFareTag

public import Foundation

extension NFCMiFareTag {
    /// Calls the `async` form of this method.
    @preconcurrency
    public func sendMiFareCommand(
        commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCMiFareTag = self
        Task {
            do {
                completionHandler(try await tag.sendMiFareCommand(commandPacket: command), nil)
            } catch {
                completionHandler(Data(), error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCMiFareTag = self
        Task {
            do {
                let (data, sw1, sw2) = try await tag.sendMiFareISO7816Command(apdu)
                completionHandler(data, sw1, sw2, nil)
            } catch {
                completionHandler(Data(), 0, 0, error)
            }
        }
    }
}
