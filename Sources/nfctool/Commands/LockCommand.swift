// nfctool lock: makes a tag read-only after showing each bit that it sets

import ArgumentParser
import SafeTag

struct LockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Make the tag read-only permanently.",
        discussion: """
            Shows the tag, its message and what can never be written again, and asks, unless --yes is given. The \
            answer ? shows each bit that will be set. Sets the bits one step at a time and reads each back. Then tries to write each locked group of \
            blocks: the tag must refuse. On an unknown chip, locks only what the tag's own description of its lock \
            bits covers, or refuses. Some tags get no lock, only a mark that readers respect. The configuration of an \
            NTAG21x, NTAG I2C plus or Ultralight EV1, C or AES stays open: a password or key set later can still keep \
            people from reading, and an NTAG21x can still be made to show its UID over part of the message.
            """)

    @OptionGroup var force: ForceOption
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (reading, permanence, wasLocked) = try await TagSession.run(options) { session in
            let change = try await session.withoutChange { try await session.change(options, to: .lockMessage) }
            return try await change.lock { try MessageReview($0).check(force, options.output) }
        }
        try reading.report(wasLocked ? .wasLocked : ChangeOutcome(permanence), options.output)
    }
}
