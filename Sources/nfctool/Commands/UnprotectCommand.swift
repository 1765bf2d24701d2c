// nfctool unprotect: no password any more

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Take the tag's password off.",
        discussion: """
            Needs the password: from --password-file, from NFCTOOL_PASSWORD, or asked for. The chip then has the password it \
            was delivered with, and asks nobody for it.
            """)

    @OptionGroup var wait: WaitOptions
    @OptionGroup var options: TagOptions

    func run() async throws {
        let credential = try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: false)
        let (reading, wasProtected) = try await TagSession.run(options, opening: credential) { session in
            let (change, before, isUnfinished) = try await session.withoutChange {
                let change = try await TagChange(session, options, wait)
                let before = try await change.protection()
                // A change that was interrupted leaves a limit and a password, also where the tag asks for nothing.
                let known = session.gate.known(before, on: change.tag.target.identifier)
                if let unreadable = known.unreadable, !before.isActive {
                    let facts = "\(unreadable) A change of the tag's protection may have been interrupted."
                    try change.ask("Take what is left of a password off the tag \(change.tag.uid)?", facts: facts)
                }
                return (change, before, known.isUnfinished)
            }
            guard before.isActive || isUnfinished else {
                return (try await change.session.currentReading(of: change.tag), false)
            }
            let opening = ProtectionChange(wanted: .none, old: credential, new: nil) { tag, _ in
                try tag.unprotect(credential)
            }
            return (try await change.carryOut(opening, from: before), true)
        }
        try reading.report(wasProtected ? .unprotected : .wasUnprotected, options.output)
    }
}
