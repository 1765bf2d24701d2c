// nfctool unprotect: no password any more

import ArgumentParser
import SafeTag

struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Remove the tag's password.",
        discussion: """
            Needs the password: from --password-file, from NFCTOOL_PASSWORD, or asked for. The chip gets its \
            factory password back and no longer asks for it.
            """)

    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let credential = try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: false)
        let (reading, wasProtected) = try await TagSession.run(options, opening: credential) { session in
            let change = try await session.withoutChange { try await session.change(options, wait) }
            return try await change.unprotect(openedBy: credential)
        }
        try reading.report(wasProtected ? .unprotected : .wasUnprotected, options.output)
    }
}
