// nfctool sdm: sets up an NTAG 424 DNA, and verifies its URLs (Secure Dynamic Messaging) — Docs/CommandLine.md, sdm

import ArgumentParser
import Hexadecimal
import SecureDynamicMessaging
import Terminal

struct SDMCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sdm",
        abstract: "Set up an NTAG 424 DNA that signs its URL, and verify such URLs.",
        discussion: """
            A new tag gets its own keys first, then its URL:

              nfctool sdm keys --key-file keys
              nfctool sdm setup 'https://example.com/?e={picc}&c={mac}' --key-file keys
            """,
        subcommands: [SDMSetUp.self, SDMVerify.self, SDMStatus.self, SDMKeyChange.self, SDMReset.self])
}

struct SDMVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether an NTAG 424 DNA with these keys generated a URL.",
        discussion: """
            Decrypts the UID and the read counter, and checks the MAC (Secure Dynamic Messaging). Needs no reader and no \
            network. Without --template, the values in the query are recognised by their lengths. Without --key-file, the keys \
            are those of a new tag: all zeros.

              nfctool sdm verify 'https://example.com/?e=EF963F…&c=94EED9EE65337086'
              nfctool sdm verify --key-file keys --template 'x.example/{uid}/{mac}' URL

            A key file contains one key of 32 hexadecimal digits for all keys, or the lines meta = KEY (key 2, SDMMetaRead) and \
            file = KEY (key 1, SDMFileRead). diversify = AN10922 makes file a master key: the key of each tag is derived.

            A genuine URL can be copied and used again. Store the last counter of each tag, and reject a URL whose counter is \
            not higher.
            """)

    @Argument(help: ArgumentHelp("The URL, in quotes.", valueName: "url"))
    var address: String

    @Option(
        help: ArgumentHelp(
            "The URL with {uid}, {counter}, {picc}, {file:32}, {mac} and {signed} in place of its values.",
            valueName: "url"))
    var template: String?

    @OptionGroup var keys: KeyFileOption
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() throws {
        let keys = try keys.file(naming: [SDMKeys.metaReadNumber, SDMKeys.fileReadNumber])
        let tap: SDMTap
        do throws(SDMError) {
            if let template {
                tap = try SDMTap(SDMAddress(address, template: SDMTemplate(template)), keys)
            } else {
                tap = try SDMTap.verified(address, keys)
            }
        } catch {
            throw SDMFailure(
                error: error, hasFactoryKeys: self.keys.keyFile == nil, hasNoTemplate: template == nil)
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

private struct SDMReport: Encodable {
    let schema = 1
    let uid: String?
    let counter: Int?
    let fileData: String?

    init(_ tap: SDMTap) { (uid, counter, fileData) = (tap.uid?.hex, tap.counter, tap.fileData?.hex) }
}
