// The note that a command prints if it reads a tag whose write or lock was interrupted

import Hexadecimal
import SafeTag
import Terminal

extension InterruptedWrite {
    /// Prints on stderr how to finish the write or the lock.
    ///
    /// For scripts, prints nothing.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        let what =
            isLock
            ? "Locking tag \(uid.hex) was interrupted. To finish, run nfctool lock."
            : "Writing to tag \(uid.hex) was interrupted. \(keepsOldMessage ? "It still holds its old message. " : "")"
                + "To finish, run nfctool recover."
        StandardError.print(what + "\n")
    }
}
