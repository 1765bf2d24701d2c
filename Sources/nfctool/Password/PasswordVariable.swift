// NFCTOOL_PASSWORD, which is hidden from the programs that nfctool starts — environ(7)

import Foundation
import Synchronization

enum PasswordVariable {
    static let name = "NFCTOOL_PASSWORD"
    private static let taken = Mutex<String?>(nil)

    /// Removes the password from the environment, so that no child process inherits it.
    ///
    /// Child processes are shell commands, the program that opens a link, and the processes of readers. Call this
    /// before a second thread starts, because no other thread may read the environment at the same time.
    static func take() {
        guard let value = getenv(name) else { return }
        let text = String(cString: value)
        unsetenv(name)
        taken.withLock { $0 = text }
    }

    /// The password, or nil if there was none.
    ///
    /// An empty value also counts as none: with it, a user can unset the variable for one command.
    static var text: String? { taken.withLock { $0 }.flatMap { $0.isEmpty ? nil : $0 } }
}
