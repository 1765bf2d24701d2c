// nfctool unprotect: removes a tag's password

import ArgumentParser
import SafeTag

struct UnprotectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unprotect",
        abstract: "Remove the tag's password.",
        discussion: """
            Takes the password from --password-file or NFCTOOL_PASSWORD, or asks for it. Restores the chip's \
            factory password and removes the protection.
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
