// nfctool recover: finishes an interrupted write, or brings the old message back

import ArgumentParser
import SafeTag

struct RecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Finish an interrupted write to the same tag.",
        discussion: """
            Each write and each lock keeps the old content of the tag on disk until the new content is verified. If no \
            write was interrupted, recover says so and ends. After an interrupted lock, recover brings the message \
            back, and nfctool lock locks the rest. For interrupted restores, it only shows the commands: nfctool \
            restore finishes them or brings the old content back.

              nfctool recover              finish the write
              nfctool recover --rollback   bring the old message back
              nfctool recover --list       list the interrupted writes, and the commands for restores
            """)

    @Flag(help: "Bring the old message back.")
    var rollback = false

    @Flag(help: "Only show the writes and restores that were interrupted.")
    var list = false

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let changes = try UnfinishedChanges.onDisk(of: options.uid?.bytes)
        if list {
            try changes.show(of: options.uid?.bytes, options.output)
        } else if !changes.writes.isEmpty {
            changes.tellRestores(options.output)
            let (reading, recovery) = try await TagSession.run(options) { session in
                try await SafeWrite(session, options, nil)
                    .recover(changes, within: options.waitingTime, rollingBack: rollback)
            }
            return try RecoveryReport(reading, isRollback: rollback).print(ChangeOutcome(recovery), options.output)
        } else if !changes.restores.isEmpty {
            throw PendingRestores(changes.restores)
        } else if changes.unreadable.isEmpty {
            try RecoveryReport(nil, isRollback: rollback, of: options.uid?.bytes).print(nil, options.output)
        }
        if !changes.unreadable.isEmpty { throw UnreadableEntries(errors: changes.unreadable) }
    }
}
