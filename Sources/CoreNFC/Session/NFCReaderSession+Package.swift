// What nfctool asks of a session beyond Apple's interface

import LibNFC
package import NFCReader
import Synchronization

extension NFCReaderSession {
    /// The connection string of the reader in use; nil before it is open.
    package var readerConnection: String? { tagReader?.connection }

    /// Shows a signal on the reader in use, in turn with what else it does.
    ///
    /// - Parameters:
    ///   - signal: what to show.
    ///   - completionHandler: told on the reader's queue whether it was shown: false when the reader has neither
    ///     lamp nor buzzer, does not obey, or is not open.
    package func signal(_ signal: Signal, completionHandler: @escaping @Sendable (Bool) -> Void) {
        guard let tagReader else { return completionHandler(false) }
        tagReader.queue.async { completionHandler(tagReader.signal(signal)) }
    }

    /// The identifiers of tags that are no news: a poll that finds another one looks with no further technology.
    ///
    /// Nil, the default, for polls that look with all technologies. Several tags of one technology are told apart all the same.
    package var settledTags: Set<[UInt8]>? {
        get { state.withLock { $0.settledTags } }
        set { state.withLock { $0.settledTags = newValue } }
    }

    /// The connection strings of the readers libnfc finds.
    package class var availableReaders: [String] { LibNFC.connections() }

    /// The version of libnfc.
    package class var libraryVersion: String { LibNFC.version }
}
