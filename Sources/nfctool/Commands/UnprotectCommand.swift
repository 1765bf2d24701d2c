// nfctool unprotect: no password any more

import ArgumentParser
import CoreNFC
import TagTypes

struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Take the tag's password off.",
        discussion: """
            Needs the password: from --password-file, from NFCTOOL_PASSWORD, or asked for. The chip then has the password it \
            was delivered with, and asks nobody for it.
            """)

    @OptionGroup var options: TagOptions

    func run() async throws {
        let credential = try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: false)
        let (reading, wasProtected) = try await TagSession.run(options, opening: credential) { session in
            let change = try await TagChange(session, options, to: .keepMessage)
            let before = try await change.protection()
            guard before.isActive else { return (try await change.session.currentReading(of: change.tag), false) }
            do {
                try await change.tag.perform { try ProtectCommand.type2($0).unprotect(credential) }
            } catch {
                throw ProtectionCut.error(error, wasProtected: true, isProtecting: false)
            }
            return (try await change.proven(.none, opening: nil), true)
        }
        try reading.report(wasProtected ? .unprotected : .wasUnprotected, options.output)
    }
}
