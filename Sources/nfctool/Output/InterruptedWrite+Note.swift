// The note that a reading command prints about a tag whose write or lock was interrupted

import Hexadecimal
import SafeTag
import Terminal

extension InterruptedWrite {
    /// Prints on stderr how to finish the write; prints nothing for scripts.
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
