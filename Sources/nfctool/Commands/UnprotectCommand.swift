// nfctool unprotect: no password any more

import ArgumentParser
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
            let (change, before) = try await session.withoutChange {
                let change = try await TagChange(session, options, wait)
                return (change, try await change.protection())
            }
            guard before.isActive else { return (try await change.session.currentReading(of: change.tag), false) }
            let opening = ProtectionChange(wanted: .none, old: credential, new: nil) { try $0.unprotect(credential) }
            return (try await change.carryOut(opening, from: before), true)
        }
        try reading.report(wasProtected ? .unprotected : .wasUnprotected, options.output)
    }
}
