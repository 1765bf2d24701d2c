// What nfctool asks of a session beyond Apple's interface

import LibNFC
import Synchronization

extension NFCReaderSession {
    /// The connection string of the reader in use; nil before it is open.
    package var readerConnection: String? { tagReader?.connection }

    /// What the chip of the reader in use said it is; nil before it is open, and where it is not known.
    package var readerChip: String? { tagReader?.chip }

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
