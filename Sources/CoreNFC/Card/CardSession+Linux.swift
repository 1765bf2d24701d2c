// Settings of a card session that exist only on Linux: the reader, the duration, the UID

public import Foundation
import ReaderInterface
import Synchronization

extension CardSession {
    /// Opens a reader and waits for other readers.
    ///
    /// - Parameters:
    ///   - readerSpecification: the reader that becomes the card, as in ``NFCReaderSession/readerSpecification``. It
    ///     must be a PN532 on a serial port, I²C or SPI, or a virtual reader.
    ///   - timeLimit: seconds from each ``startEmulation()`` until the session ends with
    ///     ``CardSession/Error/maxSessionDurationReached``, or nil for no limit. The default is 60, as on an iPhone.
    ///   - identifier: the last three bytes of the card's NFCID1, whose first byte is `08`, or nil for a random NFCID1.
    /// - Throws: ``CardSession/Error``, as described for ``init()``.
    public convenience init(
        readerSpecification: String?, timeLimit: TimeInterval? = 60, identifier: Data? = nil
    ) async throws {
        let tail = identifier.map { [UInt8]($0) } ?? (0..<3).map { _ in UInt8.random(in: 0...255) }
        let setup = Setup(
            reader: readerSpecification, target: ListeningTarget(nfcID1Tail: tail), timeLimit: timeLimit)
        do {
            try await self.init(setup)
        } catch {
            throw Error(error)
        }
    }

    /// Receives every new ``alertMessage`` on the thread that set it.
    ///
    /// By default, a text is printed as one line on standard error if that is a terminal, with control characters
    /// escaped. Otherwise nothing is shown. Set the handler to show texts elsewhere, or set it to nil to show none.
    public var alertHandler: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.alertHandler } }
        set { state.withLock { $0.alertHandler = newValue } }
    }
}
