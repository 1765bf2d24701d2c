// What `--version` prints

import ReaderProcess
import ReaderSession

/// The version of this program.
enum ProgramVersion {
    /// With that of libnfc.
    static let text = "nfctool \(ReaderProtocol.release) (NFC tags over libnfc \(LibNFCHost.version))"
}
