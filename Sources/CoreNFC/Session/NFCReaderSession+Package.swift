// What nfctool asks of a session beyond Apple's interface

import LibNFC

extension NFCReaderSession {
    /// The connection string of the reader in use; nil before it is open.
    package var readerConnection: String? { tagReader?.connection }

    /// The connection strings of the readers libnfc finds.
    package class var availableReaders: [String] { LibNFC.connections() }

    /// The version of libnfc.
    package class var libraryVersion: String { LibNFC.version }
}
