// Exclusive use of a reader within this process

import ReaderInterface
import Synchronization

/// The right to use a reader in this process, which ends with this object.
///
/// libnfc's own mark on a serial port does not distinguish users within one process, and for USB there is no mark.
final class ReaderClaim: Sendable {
    private static let claimed = Mutex<Set<String>>([])
    private let key: String

    /// Claims the reader that a connection string names, regardless of the speed in the string.
    ///
    /// - Throws: `ReaderError.busy` while another claim of this process exists.
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
