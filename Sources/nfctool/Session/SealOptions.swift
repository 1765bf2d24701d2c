// The options that lock or protect a tag after its message is written

import ArgumentParser
import SafeTag
import TagTypes

struct SealOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Make each tag require the password in this file once its message is verified.",
            discussion: "Works like nfctool protect. --password-file is for tags that already have a password.",
            valueName: "file"), completion: .file())
    var protect: String?

    @Flag(
        help: """
            Permanently make each tag read-only once its message is verified. Asks after the write and before the \
            lock, unless --yes is given.
            """)
    var lock = false

    /// The lock and the protection that the options request, with the password from its file.
    ///
    /// - Throws: `NotAPassword`, `FactoryPassword`.
    var seal: Seal {
        get throws {
            let credential = try protect.map {
                try PasswordOptions.credential(in: OptionFile(option: "--protect", path: $0))
            }
            if let credential, credential.isDelivered { throw FactoryPassword(credential: credential) }
            return Seal(credential, isLocking: lock)
        }
    }
}

extension SealOptions {
    /// Checks that the user can be asked about the lock, or has already agreed.
    ///
    /// Call this before anything is written.
    ///
    /// - Throws: ``ConfirmationNeeded``.
    func requireConsent(_ output: OutputOptions) throws {
        guard lock, !output.yes, let obstacle = Confirmation.obstacle(isJSON: output.json) else { return }
        throw ConfirmationNeeded(
            question: "Make the tag read-only permanently?", facts: "--lock asks before it locks.", obstacle: obstacle)
    }
}

extension ChangeOutcome {
    /// Creates the outcome for a step that locked or protected a tag.
    init(_ step: Seal.Step, _ reading: TagReading) {
        self =
            switch step {
            case .protected: .protected(by: reading)
            case .locked(_, wasLocked: true): .wasLocked
            case .locked(let permanence, wasLocked: false): ChangeOutcome(permanence)
            }
    }
}
