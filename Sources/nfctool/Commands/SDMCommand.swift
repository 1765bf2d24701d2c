// nfctool sdm: what an NTAG 424 DNA signs in its address — Docs/CommandLine.md, sdm

import ArgumentParser
import Hexadecimal
import SecureDynamicMessaging
import Terminal

struct SDMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sdm",
        abstract: "Set up an NTAG 424 DNA that signs its address, and verify what it gave.",
        subcommands: [SDMSetUp.self, SDMVerify.self, SDMStatus.self, SDMKeyChange.self, SDMReset.self])
}

struct SDMVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Say which tag an address is of, and whether that tag made it.",
        discussion: """
            Needs no reader and no network. Without a template the parts are told by their lengths. The keys never leave this \
            computer; without a file they are those of a new tag, zeros.

              nfctool sdm verify 'https://example.com/?e=EF963F…&c=94EED9EE65337086'
              nfctool sdm verify --key-file keys --template 'x.example/{uid}/{mac}' URL

            A key file holds 32 hexadecimal digits for all keys, or the lines meta = … and file = … (keys 2 and 1) for \
            SDMMetaRead and SDMFileRead.
            A tap whose counter is not higher than the last one of its tag is an address that was kept: compare them.
            """)

    @Argument(help: ArgumentHelp("The address, in quotes.", valueName: "address"))
    var address: String

    @Option(
        help: ArgumentHelp(
            "The address with {uid}, {counter}, {picc}, {file:32}, {mac} and {signed} in it.", valueName: "address"))
    var template: String?

    @OptionGroup var keys: KeyFileOption
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() throws {
        let keys = try keys.keys(naming: [SDMKeys.metaReadNumber, SDMKeys.fileReadNumber])
        let tap: SDMTap
        do throws(SDMError) {
            let parts =
                if let template {
                    try SDMAddress(address, template: SDMTemplate(template))
                } else {
                    try SDMAddress(address)
                }
            tap = try SDMTap(parts, metaReadKey: keys.metaRead, fileReadKey: keys.fileRead)
        } catch {
            throw SDMFailure(error: error)
        }
        if output.json { return try JSONLine.print(SDMReport(tap)) }
        StandardOutput.print(Self.text(tap))
    }

    private static func text(_ tap: SDMTap) -> String {
        let identity = [tap.uid.map { "UID \($0.hex)" }, tap.counter.map { "tap \($0)" }].compactMap { $0 }
        let head = "Genuine: \(identity.joined(separator: ", "))"
        return
            ([head]
            + (tap.fileData.map { ["File data  \(TerminalText.escaped(String(decoding: $0, as: UTF8.self)))"] } ?? []))
            .joined(separator: "\n")
    }
}

/// A verified tap in JSON.
private struct SDMReport: Encodable {
    let schema = 1
    let uid: String?
    let counter: Int?
    let fileData: String?

    init(_ tap: SDMTap) { (uid, counter, fileData) = (tap.uid?.hex, tap.counter, tap.fileData?.hex) }
}
