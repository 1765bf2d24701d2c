// nfctool protect: protects a tag with a password, starting at a given block

import ArgumentParser
import SafeTag
import TagTypes

struct ProtectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Make the tag require a password.",
        discussion: """
            Works with NTAG21x, NTAG I2C plus, Ultralight EV1, C and AES. The password is set and tried before the tag \
            requires it. After an interruption, the tag accepts its old password or the new one, or needs none. \
            Without --password-file and NFCTOOL_PASSWORD, nfctool asks for the password.

            A tag that already has a password gets the new password. Also give the old password, unless both are the \
            same. The protected blocks, read protection and limit stay as they are, unless --from, --read or --limit \
            changes them. If an option protects less than before, nfctool asks first, unless --yes is given.

              nfctool protect --password-file new --read
              nfctool protect --password-file newer --old-password-file new
            """)

    @Option(
        help: ArgumentHelp(
            "Protect this block and all later ones. (default: the tag's setting, or 4)",
            valueName: "block"))
    var from: Int?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Require the password for reading too; phones then see no message. (default: the tag's setting, or --no-read)"
        ))
    var read: Bool?

    @Option(
        help: ArgumentHelp(
            """
            Close the tag permanently after this many wrong passwords, 1 to 7 (up to 1023 on an Ultralight AES); 0 for no \
            limit. (default: the tag's setting, or 0)
            """, valueName: "tries"))
    var limit: Int?

    @Option(
        name: .customLong("old-password-file"),
        help: ArgumentHelp("The file with the password the tag has now.", valueName: "file"), completion: .file())
    var oldPasswordFile: String?

    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func validate() throws {
        guard (0...255).contains(from ?? 0) else {
            throw ValidationError("--from must be a block number from 0 to 255.")
        }
        guard (0...1023).contains(limit ?? 0) else {
            throw ValidationError("--limit must be a number from 0 to 7, or from 0 to 1023 for an Ultralight AES.")
        }
    }

    func run() async throws {
        let new = try options.password.newCredential(orAsk: PasswordPrompt(options.output))
        let old =
            try oldPasswordFile.map {
                try PasswordOptions.credential(in: OptionFile(option: "--old-password-file", path: $0))
            } ?? new
        let wish = ProtectionWish(first: from, isReadingProtected: read, limit: limit)
        let reading = try await TagSession.run(options, opening: old) { session in
            let change = try await session.withoutChange {
                try await session.change(options, wait, orOpeningWith: new)
            }
            return try await change.protect(wish, with: new, openedBy: old)
        }
        try reading.report(.protected(by: reading), options.output)
        guard let first = reading.protection?.rules.first, !reading.openBlocks.isEmpty else { return }
        Warning(options.output).show(
            "\(openMessage(of: reading, before: first)) without the password. "
                + "To also protect it:  nfctool protect --from 4")
    }

    /// Returns the beginning of a sentence that says which part of the message anyone can still write.
    private func openMessage(of reading: TagReading, before first: Int) -> String {
        let blocks = "\(BlockList(reading.openBlocks))"
        // If the message reaches into the protected blocks, only its first part is open. An empty message has no
        // content to protect.
        if !reading.bytes.isEmpty, reading.openBlocks.allSatisfy({ $0 < first - 1 }) {
            return "The message in \(blocks) lies before block \(first): anyone can still write it"
        }
        let (lie, them) = reading.openBlocks.count == 1 ? ("lies", "it") : ("lie", "them")
        let start: String = blocks.prefix(1).uppercased() + blocks.dropFirst()
        return "\(start), where the message begins, \(lie) before block \(first): anyone can still write \(them)"
    }
}
