// A reader in a separate process, acting as a target — NFC Forum Activity, Listen Mode

package import ReaderInterface

extension IsolatedReader: ListeningReader {
    private static let listening = "listening"

    package func requireListening() throws(ReaderError) {
        _ = try reply(to: .requireListening, during: Self.listening)
    }

    package func listen(as target: ListeningTarget, timeout: Duration) throws(ReaderError) -> Bool {
        let reply = try reply(to: .listen(target, timeout: timeout), during: Self.listening)
        guard case .activated(let isActivated) = reply else { throw nonsense(Self.listening) }
        return isActivated
    }

    package func receiveCommand(timeout: Duration) throws(ReaderError) -> [UInt8]? {
        switch try reply(to: .receiveCommand(timeout: timeout), during: Self.listening) {
        case .bytes(let bytes): return bytes
        case .silence: return nil
        default: throw nonsense(Self.listening)
        }
    }

    package func sendResponse(_ response: [UInt8]) throws(ReaderError) {
        _ = try reply(to: .sendResponse(response), during: Self.listening)
    }
}
