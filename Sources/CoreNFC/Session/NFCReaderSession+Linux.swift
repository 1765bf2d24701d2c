// Settings of a session that exist only on Linux: the reader, the time limit, the handler for texts

public import Foundation
import Synchronization

extension NFCReaderSession {
    /// The reader that the session uses.
    ///
    /// Set it before ``begin()``. It is one of:
    /// - `auto`: the first reader that is found;
    /// - `usb:PORT` or `serial:NUMBER`: a USB reader by its port or its serial number;
    /// - your own name for a reader, from the file `~/.config/nfctool/readers`;
    /// - `pcsc:NAME`: a reader of the PC/SC daemon;
    /// - a libnfc connection string, such as `pn532_uart:/dev/ttyUSB0`;
    /// - `virtual`, `virtual:ntag213` or `virtual:FILE.nfc`: an embedded PN532 with virtual tags;
    /// - nil, the default: the environment variable `NFCTOOL_READER`, otherwise `auto`.
    public var readerSpecification: String? {
        get { state.withLock { $0.readerSpecification } }
        set { state.withLock { $0.readerSpecification = newValue } }
    }

    /// Seconds from ``begin()`` until the session ends with code 201.
    ///
    /// Nil means no limit. The default is 60, as on an iPhone.
    public var timeLimit: TimeInterval? {
        get { state.withLock { $0.timeLimit } }
        set { state.withLock { $0.timeLimit = newValue } }
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
