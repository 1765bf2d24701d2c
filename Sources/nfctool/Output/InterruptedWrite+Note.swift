// The note about an interrupted write or lock of the tag that a command has read

import Hexadecimal
import SafeTag
import Terminal

extension InterruptedWrite {
    /// Prints on stderr how to finish the write or the lock.
    ///
    /// Prints nothing if the output is for scripts.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        let what =
            isLock
            ? "Locking tag \(uid.hex) was interrupted. To finish, run nfctool lock."
            : "Writing to tag \(uid.hex) was interrupted. \(keepsOldMessage ? "It still holds its old message. " : "")"
                + "To finish, run nfctool recover; to \(keepsOldMessage ? "keep it" : "bring the old message back"), "
                + "nfctool recover --rollback."
        StandardError.print(what + "\n")
    }
}
