// What a command that reads says of a tag that an interrupted write left without its message

import Hexadecimal
import SafeTag
import Terminal

extension InterruptedWrite {
    /// Notes on stderr how the write is finished; nothing for scripts.
    func tell(_ output: OutputOptions) {
        guard !output.json, !output.quiet else { return }
        let what =
            isLock
            ? "A lock of tag \(uid.hex) was interrupted: nfctool lock finishes it."
            : "A write to tag \(uid.hex) was interrupted: nfctool recover finishes it."
        StandardError.print(what + "\n")
    }
}

extension TagReading {
    /// Prints what a tag holds, and that an interrupted write must be finished first where that is so.
    func print(_ output: OutputOptions, _ secrets: SecretOptions) throws {
        let interruption = InterruptedWrite.find(of: target, holding: HeldMessage(self))
        if output.json {
            var reading = self
            if interruption != nil { reading.isUnfinished = true }
            try JSONLine.print(reading)
        } else {
            TagPresentation(self, style: .standardOutput.showingSecrets(secrets.showSecrets)).print()
            interruption?.tell(output)
        }
    }
}
