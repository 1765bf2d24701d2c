// One owner in this process for each reader

import ReaderInterface
import Synchronization

/// The right to use a reader in this process, given back when the claim goes.
///
/// libnfc's own mark on a serial port does not tell this process from another, and USB has none.
final class ReaderClaim: Sendable {
    private static let claimed = Mutex<Set<String>>([])
    private let key: String

    /// Claims the reader behind a connection string, whatever speed it names.
    ///
    /// - Throws: `ReaderError.busy` while another claim of this process is alive.
    init(connection: String) throws(ReaderError) {
        let key = ReaderNode(connection: connection)?.path ?? connection
        guard Self.claimed.withLock({ $0.insert(key).inserted }) else {
            throw .busy(connection: connection, holder: "this process")
        }
        self.key = key
    }

    deinit {
        _ = Self.claimed.withLock { $0.remove(key) }
    }
}
