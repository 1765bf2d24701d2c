// The root command, and the only place where a failure becomes text and an exit code

import ArgumentParser
import Terminal

struct NFCTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nfctool",
        abstract: "Read, write and provision NFC tags.",
        discussion: """
            To try it without a reader, use a virtual one:

              nfctool read --reader virtual
              nfctool write --reader virtual:tag.nfc --uri https://example.com
              nfctool read --reader virtual:tag.nfc

            This nfctool works with libnfc and PC/SC. It is not the nfctool of neard.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Read and write",
                subcommands: [
                    ReadCommand.self, WriteCommand.self, ScanCommand.self, CopyCommand.self, InfoCommand.self,
                    NDEFCommand.self,
                ]),
            CommandGroup(
                name: "Prepare and protect",
                subcommands: [
                    FormatCommand.self, EraseCommand.self, ProtectCommand.self, UnprotectCommand.self, LockCommand.self,
                    RecoverCommand.self, UndoCommand.self,
                ]),
            CommandGroup(name: "Many tags", subcommands: [ProvisionCommand.self]),
            CommandGroup(name: "Backup", subcommands: [DumpCommand.self, RestoreCommand.self, DiffCommand.self]),
            CommandGroup(
                name: "Advanced",
                subcommands: [TransceiveCommand.self, APDUCommand.self, EmulateCommand.self, SDMCommand.self]),
            CommandGroup(
                name: "Readers", subcommands: [ReadersCommand.self, DoctorCommand.self, SimulateCommand.self]),
        ])
}

@main
enum Main {
    static func main() async {
        // This must be done before the second thread starts, and signal handling starts one.
        PasswordVariable.take()
        // From here on, a signal makes this process end in an orderly way.
        let isReaderHost = ReaderHost.isAsked(CommandLine.arguments)
        if isReaderHost { ReaderHost.leaveOnSignal() } else { Interruption.begin(endingWith: FailureReport.finish) }
        StandardDescriptors.occupyClosed()
        if isReaderHost { ReaderHost.serve(CommandLine.arguments) }
        ReaderHost.start()
        let words = WireTrace.take(Array(CommandLine.arguments.dropFirst()))
        if let script = CompletionScript(askedBy: words) { return StandardOutput.print(script.text) }
        do {
            try ArgumentBytes.check()
            try CommandWords(words).check()
            var command = try NFCTool.parseAsRoot(HelpText.arguments(words))
            if var asyncCommand = command as? any AsyncParsableCommand {
                try await asyncCommand.run()
            } else {
                try command.run()
            }
        } catch {
            FailureReport.exit(error)
        }
    }
}
