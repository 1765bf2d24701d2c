// NFCTOOL_PASSWORD, which no other program may see — environ(7)

import Foundation
import Synchronization

/// The password in nfctool's environment, hidden from the programs that it starts.
enum PasswordVariable {
    static let name = "NFCTOOL_PASSWORD"
    private static let taken = Mutex<String?>(nil)

    /// Removes the password from the environment, so that no child process (a shell command, the opener of a link, a
    /// reader's process) inherits it.
    ///
    /// Called before a second thread starts, because no other thread may read the environment at the same time.
    static func take() {
        guard let value = getenv(name) else { return }
        let text = String(cString: value)
        unsetenv(name)
        taken.withLock { $0 = text }
    }

    /// The password; nil if it was empty, which is how a shell unsets a variable for one command.
    static var text: String? { taken.withLock { $0 }.flatMap { $0.isEmpty ? nil : $0 } }
}
