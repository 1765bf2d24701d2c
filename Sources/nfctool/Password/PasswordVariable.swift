// NFCTOOL_PASSWORD, which no other program is to see — environ(7)

import Foundation
import Synchronization

/// The password in the environment of nfctool, and of nothing that it starts.
enum PasswordVariable {
    static let name = "NFCTOOL_PASSWORD"
    private static let taken = Mutex<String?>(nil)

    /// Takes the password out of the environment, so that no child inherits it: shell commands, links, readers' processes.
    ///
    /// Called before there is a second thread: no other may read the environment meanwhile.
    static func take() {
        guard let value = getenv(name) else { return }
        let text = String(cString: value)
        unsetenv(name)
        taken.withLock { $0 = text }
    }

    /// What it held; nil when it was empty, which is how a shell takes it away for one command.
    static var text: String? { taken.withLock { $0 }.flatMap { $0.isEmpty ? nil : $0 } }
}
