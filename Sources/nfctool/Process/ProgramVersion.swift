// The output of `--version`

import Cbuild
import ReaderProcess
import ReaderSession

enum ProgramVersion {
    /// The version text, for example `nfctool 0.2.0 (commit 0123456789ab, libnfc 1.8.0, pcsclite 1.9.9)`.
    static let text = "nfctool \(ReaderProtocol.release) (\(origin)\(libraries))"

    /// The commit and a separator, or an empty string if the commit was not known at build time.
    private static var origin: String {
        let commit = String(cString: nfctool_commit)
        return commit.isEmpty ? "" : "commit \(commit), "
    }

    private static var libraries: String {
        "libnfc \(LibNFCHost.version), pcsclite \(SmartCardReaders.libraryVersion)"
    }
}
