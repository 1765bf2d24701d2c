// nfctool provision board: shows a plan in the browser while stations work on it — Docs/Stations.md, The board

import ArgumentParser
import Composing
import Foundation
import PlanBoard
import ProvisionPresentation
import Provisioning
import Terminal

struct ProvisionBoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board",
        abstract: "Show a plan live in the browser: rows, rate, stations, refusals. Changes nothing.",
        discussion: """
            Runs until Ctrl-C. Only programs on this machine can see the board, unless --listen names another address. \
            Such an address needs --token or --token-file. Without a name, shows the only plan of the journal.

              nfctool provision board tags.csv
              nfctool provision board --journal postgresql://screen@db.example.com/shop --listen 0.0.0.0:8080 --token
            """)

    @Argument(help: "The plan, or its journal.", completion: .file())
    var plan: String?

    @Option(
        help: ArgumentHelp(
            "The IP address and port to listen on. 0.0.0.0 or [::] listens on all addresses.",
            valueName: "address"))
    var listen = "127.0.0.1:8080"

    @Flag(
        help: "Create a token, and print the address with it once. Only browsers that open that address see the board.")
    var token = false

    @Option(
        help: ArgumentHelp(
            "The file with your own token: 16 to 256 letters, digits, or - . _ ~", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "Another name that browsers use for this machine, such as that of a proxy. Needs a token. Repeat for "
                + "more names.",
            valueName: "name"))
    var host: [String] = []

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func validate() throws {
        if token, tokenFile != nil { throw ValidationError("Give --token or --token-file, not both.") }
    }

    func run() async throws {
        let address = try BoardAddress(listen)
        let made = token ? BoardToken() : nil
        let secret = try made ?? tokenFile.map(Self.token)
        let (journal, _) = try journal.open(journal.plan(or: plan), reading: true)
        let board = try PlanBoard(PlanWatch(journal), on: address, token: secret, names: host)
        try await Interruption.cancelling {
            try await board.run { page in
                let page = made.map { "\(page)?token=\($0.text)" } ?? page
                if output.json { return try JSONLine.print(ListeningReport(url: page)) }
                StandardOutput.print(page)
                Hint(json: false, quiet: output.quiet).show("Press Ctrl-C to stop.")
            }
        }
    }

    private static func token(inFile path: String) throws -> BoardToken {
        let text = try OptionFile(option: "--token-file", path: path).reading { try $0.readText() }
        return try BoardToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

private struct ListeningReport: Encodable {
    let schema = 1
    let event = "listening"
    let url: String
}

extension BoardError: Failure, AdvisedError {
    var name: ErrorName {
        switch self {
        case .badAddress, .tokenNeeded, .tokenNeededForName, .badName, .badToken, .unusable: .usage
        case .addressTaken: .addressBusy
        case .notAllowed: .noPermission
        }
    }
    var message: String { description }
    var advice: String? {
        switch self {
        case .badAddress: "Use an address such as 127.0.0.1:8080 or [::1]:8080."
        case .tokenNeeded, .tokenNeededForName: "Add --token, or --token-file FILE."
        case .badName: "Use a name such as board.example.com."
        case .addressTaken, .notAllowed: "Use another port:  --listen 127.0.0.1:8081"
        case .badToken, .unusable: nil
        }
    }
}
