// The options that close a tag behind the message it was given

import ArgumentParser
import SafeTag
import TagTypes

/// `--protect` and `--lock` of a command that writes.
struct SealOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make each tag ask for the password in this file once its message is verified.",
            discussion: "Works like nfctool protect. --password-file is for tags that already have a password.",
            valueName: "file"), completion: .file())
    var protect: String?

    @Flag(
        help: """
            Make each tag read-only permanently once its message is verified, as nfctool lock does: shows each bit and asks, or needs \
            --yes.
            """)
    var lock = false

    /// What closes the tags; reads the file.
    ///
    /// - Throws: `NotAPassword`, `FactoryPassword`.
    var seal: Seal {
        get throws {
            let credential = try protect.map { try PasswordOptions.credential(inFile: $0) }
            if let credential, credential.isDelivered { throw FactoryPassword(credential: credential) }
            return Seal(credential, isLocking: lock)
        }
    }
}

extension SealOptions {
    /// Makes sure before anything is written that a lock can be agreed to.
    ///
    /// - Throws: ``ConfirmationNeeded``.
    func requireConsent(_ output: OutputOptions) throws {
        guard lock, !output.yes, let obstacle = Confirmation.obstacle(isJSON: output.json) else { return }
        throw ConfirmationNeeded(
            question: "Make the tag read-only permanently?", facts: "--lock asks before it locks.", obstacle: obstacle)
    }
}

extension ChangeOutcome {
    /// A step that closed a tag.
    init(_ step: Seal.Step, _ reading: TagReading) {
        self =
            switch step {
            case .protected: .protected(by: reading)
            case .locked(_, wasLocked: true): .wasLocked
            case .locked(let permanence, wasLocked: false): ChangeOutcome(permanence)
            }
    }
}
