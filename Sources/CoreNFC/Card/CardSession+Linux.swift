// Settings of a card session that only exist on Linux: the reader, the duration, the UID

public import Foundation
import ReaderInterface
import Synchronization

extension CardSession {
    /// Takes a reader, and waits for other readers.
    ///
    /// - Parameters:
    ///   - readerSpecification: which reader becomes the card, as ``NFCReaderSession/readerSpecification``: it has to be a PN532
    ///     on a serial port, I²C or SPI, or a virtual one.
    ///   - timeLimit: seconds from each ``startEmulation()`` until the session ends with
    ///     ``CardSession/Error/maxSessionDurationReached``; nil for no limit. 60 by default, as on an iPhone.
    ///   - identifier: the last three bytes of the card's NFCID1, which begins with `08`; made up when nil.
    /// - Throws: ``CardSession/Error``, as ``init()``.
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

    /// Gets every new ``alertMessage``, on the thread that set it; nothing is shown by default.
    public var alertHandler: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.alertHandler } }
        set { state.withLock { $0.alertHandler = newValue } }
    }
}
