// nfctool scan: prints one event per tag that arrives or leaves, until interrupted

import ArgumentParser
import Composing
import SafeTag
import TagRules
import Terminal

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Report each tag that arrives or leaves, until Ctrl-C.",
        discussion: """
            With --json, each event is one line. --exec runs a shell command per tag, with the JSON event on its stdin \
            and NFC_UID, NFC_TYPE, NFC_CHIP, NFC_URI and NFC_TEXT in its environment; nothing from a tag becomes part \
            of the command. --rules runs commands from a file with one JSON object per line. Each object has a command \
            (run) for tags with that UID (uid), a URI that begins with that text (uri) or a record of that type \
            (type). Only the command of the first rule that matches runs. --keyboard types text for each tag into \
            the window that has the focus: {uid}, {uid:lower}, {uri}, {text}, {chip}, {type} and {n} stand for the \
            tag's values, \\n for Enter, \\t for Tab. --open opens the link of a tag that matches no rule, as an \
            iPhone does: the first URI record, if it is http, https, mailto, sms or tel.

              nfctool scan --json
              nfctool scan --output tags.csv
              nfctool scan --keyboard '{uid}\\n'
              nfctool scan --open
              nfctool scan --rules rules.jsonl

              {"uid": "04A1B2C3D4E580", "run": "loginctl lock-session"}
              {"uri": "https://example.com/door/", "run": "./open-door.sh"}
              {"type": "text/vcard", "run": "cat >> visitors.jsonl"}
            """)

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    @Option(help: ArgumentHelp("Stop after N tags.", valueName: "n"))
    var count: Int?

    @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this time: 10s, 5m.", valueName: "time"))
    var length: WaitingTime?

    @Option(help: ArgumentHelp("Run this shell command for each tag.", valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp("Run the command of the first rule of this file that matches the tag.", valueName: "file"),
        completion: .file())
    var rules: String?

    @Flag(help: "Open the tag's link with xdg-open, as an iPhone would.")
    var open = false

    @OptionGroup var feed: FeedOptions

    @Option(
        help: ArgumentHelp(
            "When to beep: \"ok\", \"fail\", \"ok,fail\" or \"off\".",
            discussion: "An ACR122U beeps by itself. With other readers, the terminal beeps.", valueName: "when"))
    var beep: Beep = .fail

    @Option(help: ArgumentHelp("Show results on an ACR122U's LED (green or red): on or off.", valueName: "state"))
    var led: Lamp = .on

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be at least 1.") }
        if let length, length.duration == nil { throw ValidationError("--for must be longer than 0.") }
        try feed.check(options.output)
    }

    func run() async throws {
        // The rules are read before the reader is opened, so that an error in the rule file is reported first.
        let rules = try rules.map { path in
            try OptionFile(option: "--rules", path: path).reading { try RuleFile(path: $0.path).read() }
        }
        let actions = TagActions(command: exec, rules: rules ?? [], opensLinks: open)
        let feed = try await ScanFeed(feed, options.output)
        let output = ScanOutput(options.output, SignalStyle(beep: beep, lamp: led), actions, feed)
        let scan = TagScan(
            .init(
                try options.setup(gate: PasswordGate(.given(options.output.yes))), uid: options.uid?.bytes,
                count: count, length: length?.duration, patience: options.timeout?.duration), observer: output)
        options.prepareReaders()
        let interruption = Interruption.onRequest { scan.interrupt() }
        defer { withExtendedLifetime(interruption) {} }
        StandardOutput.endWhenUnread()
        try await scan.run()
    }
}
