// nfctool protect: from a block on, the tag asks for a password

import ArgumentParser
import ReaderSession
import TagTypes

struct ProtectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Make the tag ask for a password.",
        discussion: """
            Knows NTAG21x, NTAG I2C plus, Ultralight EV1 and Ultralight C. The password is set and tried before the tag asks \
            for it, so a tag that is pulled away opens with its old password, the new one, or none. Without --password-file \
            and NFCTOOL_PASSWORD the password is asked for. A tag that has a password already gets the new one; give the old \
            one too, unless they are the same.

              nfctool protect --password-file new
              nfctool protect --password-file new --old-password-file old --read
            """)

    @Option(help: ArgumentHelp("The first block to protect; all later blocks are, too.", valueName: "block"))
    var from = 4

    @Flag(help: "Ask for the password for reading, too: phones then see no message.")
    var read = false

    @Option(
        help: ArgumentHelp(
            "Close the tag permanently after this many wrong passwords, 1 to 7; 0 for no limit.", valueName: "tries"))
    var limit = 0

    @Option(
        name: .customLong("old-password-file"),
        help: ArgumentHelp("The file with the password the tag has now.", valueName: "file"))
    var oldPasswordFile: String?

    @OptionGroup var wait: WaitOptions
    @OptionGroup var options: TagOptions

    func validate() throws {
        guard (0...255).contains(from) else { throw ValidationError("--from takes a block number, 0 to 255.") }
        guard (0...7).contains(limit) else { throw ValidationError("--limit takes 0 to 7 (AUTHLIM).") }
    }

    func run() async throws {
        let new = try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: true)
        guard !new.isDelivered else { throw FactoryPassword(credential: new) }
        let old = try oldPasswordFile.map { try PasswordOptions.credential(inFile: $0) } ?? new
        let (access, from, limit): (ProtectedAccess, _, _) = (read ? .readingAndWriting : .writing, from, limit)
        let reading = try await TagSession.run(options, opening: old) { session in
            let wanted = Protection.Rules(first: from, isReadingProtected: access == .readingAndWriting, limit: limit)
            let (change, before) = try await session.withoutChange {
                let change = try await TagChange(session, options, wait)
                let before = try await change.protection()
                if limit > 0 {
                    try change.ask("Protect the tag \(change.tag.uid)?", facts: Self.facts(wanted))
                }
                return (change, before)
            }
            let protecting = ProtectionChange(wanted: wanted, old: old, new: new) { tag in
                try tag.protect(access, from: from, with: new, limit: limit)
            }
            return try await change.carryOut(protecting, from: before)
        }
        try reading.report(.protected(read ? .readingAndWriting : .writing, from: from), options.output)
    }

    /// The tag, if it is of a type that has passwords.
    static func type2(_ tag: any ForumTag) throws(TagError) -> Type2Tag {
        guard let tag = tag as? Type2Tag else { throw .unsupported(reason: "passwords are for Type 2 Tags") }
        // One lost answer must not pass for a chip without a password.
        tag.confirmChip()
        return tag
    }

    private static func facts(_ protection: Protection.Rules) -> String {
        let limit = protection.limit
        return """
            From block \(protection.first ?? 0) on the tag will ask for the password, \
            \(protection.isReadingProtected ? "for reading and writing" : "for writing").
            After \(limit) wrong \(limit == 1 ? "password" : "passwords") in a row it is closed permanently, also by a stranger who tries.
            """
    }
}
