// Settings of a session that only exist on Linux: the reader, the duration, the destination of texts

public import Foundation
import Synchronization

extension NFCReaderSession {
    /// Which reader the session uses; set it before ``begin()``.
    ///
    /// `auto` (the first reader libnfc finds) · a libnfc connection string such as `pn532_uart:/dev/ttyUSB0` · `virtual`,
    /// `virtual:ntag213`, `virtual:FILE.nfc` (an embedded PN532 with virtual tags). Nil, the default, takes the environment
    /// variable `NFCTOOL_READER`, or `auto`.
    public var readerSpecification: String? {
        get { state.withLock { $0.readerSpecification } }
        set { state.withLock { $0.readerSpecification = newValue } }
    }

    /// Seconds from ``begin()`` until the session ends with code 201.
    ///
    /// Nil for no limit. 60 by default, as on an iPhone.
    public var timeLimit: TimeInterval? {
        get { state.withLock { $0.timeLimit } }
        set { state.withLock { $0.timeLimit = newValue } }
    }

    /// Gets every new ``alertMessage``, on the thread that set it; nothing is shown by default.
    public var alertHandler: (@Sendable (String) -> Void)? {
        get { state.withLock { $0.alertHandler } }
        set { state.withLock { $0.alertHandler = newValue } }
    }
}
