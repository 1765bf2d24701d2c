// nfctool scan: one event per tag that arrives or leaves, until told to stop

import ArgumentParser
import CoreNFC

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Report each tag that arrives or leaves, until Ctrl-C.",
        discussion: """
            With --json each event is one line. --exec runs a shell command per tag, with the JSON event on its stdin and \
            NFC_UID, NFC_TYPE, NFC_CHIP, NFC_URI and NFC_TEXT in its environment; nothing from a tag becomes part of the \
            command.

              nfctool scan --json
              nfctool scan --count 1 --exec 'xdg-open "$NFC_URI"'
            """)

    @OptionGroup var options: TagOptions

    @Option(help: ArgumentHelp("End with the N-th tag.", valueName: "n"))
    var count: Int?

    @Option(name: .customLong("for"), help: "End after this time: 10s, 5m.")
    var length: WaitingTime?

    @Option(help: ArgumentHelp("Run this shell command for each tag.", valueName: "command"))
    var exec: String?

    @OptionGroup var sound: BeepOption

    @Option(help: ArgumentHelp("Whether an ACR122U's lamp shows green and red: on or off.", valueName: "state"))
    var led: Lamp = .off

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
    }

    func run() async throws {
        let scan = Scan(
            options: options, count: count, command: exec, length: length?.duration,
            signals: SignalStyle(beep: sound.beep, lamp: led))
        try await ScanRun(scan).run()
    }
}
