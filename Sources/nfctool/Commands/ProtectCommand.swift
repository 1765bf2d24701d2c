// nfctool protect: from a block on, the tag asks for a password

import ArgumentParser
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

struct ProtectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protect",
        abstract: "Make the tag ask for a password.",
        discussion: """
            Knows NTAG21x, NTAG I2C plus, Ultralight EV1 and Ultralight C. The password is set and tried before the tag asks \
            for it, so a tag that is pulled away opens with its old password, the new one, or none. Without --password-file \
            and NFCTOOL_PASSWORD the password is asked for.

            A tag that has a password already gets the new one; give the old one too, unless they are the same. What it \
            protects stays as it is, unless --from, --read or --limit say otherwise. An option that protects less than \
            before asks first, or needs --yes.

              nfctool protect --password-file new --read
              nfctool protect --password-file newer --old-password-file new
            """)

    @Option(
        help: ArgumentHelp(
            "The first block to protect; all later blocks are, too. (default: as before, or 4)", valueName: "block"))
    var from: Int?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Ask for the password for reading, too: phones then see no message. (default: as before, or --no-read)"))
    var read: Bool?

    @Option(
        help: ArgumentHelp(
            """
            Close the tag permanently after this many wrong passwords, 1 to 7; 0 for no limit. (default: as before, or 0)
            """, valueName: "tries"))
    var limit: Int?

    @Option(
        name: .customLong("old-password-file"),
        help: ArgumentHelp("The file with the password the tag has now.", valueName: "file"))
    var oldPasswordFile: String?

    @OptionGroup var wait: WaitOptions
    @OptionGroup var options: TagOptions

    func validate() throws {
        guard (0...255).contains(from ?? 0) else { throw ValidationError("--from takes a block number, 0 to 255.") }
        guard (0...7).contains(limit ?? 0) else { throw ValidationError("--limit takes 0 to 7 (AUTHLIM).") }
    }

    func run() async throws {
        let new = try options.password.credential(orAsk: PasswordPrompt(options.output), isNew: true)
        guard !new.isDelivered else { throw FactoryPassword(credential: new) }
        let old = try oldPasswordFile.map { try PasswordOptions.credential(inFile: $0) } ?? new
        let reading = try await TagSession.run(options, opening: old) { session in
            let (change, before, wanted) = try await session.withoutChange {
                let change = try await TagChange(session, options, wait, orOpeningWith: new)
                let before = try await change.protection()
                let known = session.gate.known(before, on: change.tag.target.identifier)
                let wanted = rules(replacing: known.kept)
                let facts = facts(wanted, replacing: known)
                if !facts.isEmpty {
                    try change.ask("Protect the tag \(change.tag.uid)?", facts: facts.joined(separator: "\n"))
                }
                return (change, before, wanted)
            }
            let opening = change.tag.unlocking.credential ?? old
            let protecting = ProtectionChange(wanted: wanted, old: opening, new: new) { tag, willAsk in
                try tag.protect(
                    wanted.isReadingProtected ? .readingAndWriting : .writing, from: wanted.first ?? Self.firstBlock,
                    with: new, limit: wanted.limit, willAsk: willAsk)
            }
            return try await change.carryOut(protecting, from: before)
        }
        try reading.report(.protected(reading.protection?.rules ?? .none), options.output)
    }

    /// The first block behind the capability container.
    private static let firstBlock = 4

    /// What the options ask for; what they leave open stays as it is.
    private func rules(replacing found: ProtectionRules) -> ProtectionRules {
        // A tag that asks for no password protects nothing, whatever is left over in its configuration.
        let kept = found.first == nil ? .none : found
        return ProtectionRules(
            first: from ?? kept.first ?? Self.firstBlock, isReadingProtected: read ?? kept.isReadingProtected,
            limit: limit ?? kept.limit)
    }

    /// What the user is to know before the change: what may close the tag, and what is protected less than before.
    private func facts(_ wanted: ProtectionRules, replacing known: KnownProtection) -> [String] {
        let isLimitChosen = wanted.limit > 0 && limit != nil
        let unknown = known.unreadable.map { ["\($0) What the tag was protected by before is not known."] } ?? []
        return unknown + (isLimitChosen ? [Self.facts(wanted)] : []) + known.losses(of: wanted)
    }

    /// The tag, if it is of a type that has passwords.
    static func type2(_ tag: any ForumTag) throws(TagError) -> Type2Tag {
        guard let tag = tag as? Type2Tag else { throw .unsupported(reason: "passwords are for Type 2 Tags") }
        // One lost answer must not pass for a chip without a password.
        tag.confirmChip()
        return tag
    }

    private static func facts(_ protection: ProtectionRules) -> String {
        let limit = protection.limit
        return """
            From block \(protection.first ?? 0) on the tag will ask for the password, \
            \(protection.isReadingProtected ? "for reading and writing" : "for writing").
            After \(limit) wrong \(limit == 1 ? "password" : "passwords") in a row it is closed permanently, also by a stranger who tries.
            """
    }
}
