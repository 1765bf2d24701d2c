// nfctool sdm setup, status, keys, reset: work with an NTAG 424 DNA on the reader — Docs/CommandLine.md, sdm

import ArgumentParser
import Hexadecimal
import MemoryPresentation
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import SecureDynamicMessaging
import Terminal

extension TagOptions {
    /// Returns the keys in the file of `--key-file`, and the options without this file.
    ///
    /// The keys are nil if no file is given. The file is removed from the options, because a session would read it as a list of MIFARE Classic keys.
    fileprivate func takingKeys() throws -> (keys: SDMKeyFile?, options: TagOptions) {
        var options = self
        options.keys.files = []
        return (try keys.dynamic(), options)
    }
}

struct SDMSetUp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Make a tag fill in and sign a URL for each tap.",
        discussion: """
            Writes the URL, computes where the tag fills in each value, and reads the tag as a phone does. The URL that \
            the tag returns must verify with the same keys. After an interruption, the same command finishes the setup.

            {picc} is the UID and the counter, encrypted with key 2; {uid} and {counter} show them in plain text. \
            {mac} is the MAC with key 1, over what follows {signed}. {file:32} encrypts 16 characters of --file-text.

              nfctool sdm setup 'https://example.com/?e={picc}&c={mac}' --key-file keys
              nfctool sdm setup 'https://example.com/{uid}x{counter}/{mac}' --keep-writable
            """)

    @Argument(help: ArgumentHelp("The URL with placeholders, in quotes.", valueName: "template"))
    var template: String

    @Option(help: ArgumentHelp("The text that the tag encrypts at {file:N}: N / 2 characters.", valueName: "text"))
    var fileText: String?

    @Flag(help: "Let anyone keep writing the message. (default: writing needs key 0)")
    var keepWritable = false

    @OptionGroup var force: ForceOption
    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let layout: SDMLayout
        do throws(SDMError) { layout = try SDMLayout(SDMTemplate(template), fileText: fileText) } catch {
            throw SDMFailure(error: error)
        }
        try MessageReview(NDEFMessage(records: [URIRecord(uri: layout.address).record()])).check(force, options.output)
        let (keys, options) = try options.takingKeys()
        let setup = try SafeTag.SDMSetup(layout, keys: .factory, staysWritable: keepWritable)
        let proof = try await TagSession.run(options) { session in
            let change = try await SafeWrite(session, options, isWithoutWait: wait.isWithoutWait)
                .change(within: options.waitingTime, uid: options.uid?.bytes, to: .replaceMessage)
            return try await change.setUp(setup.with((keys ?? .factory).keys(of: change.uid)))
        }
        if options.output.json { return try JSONLine.print(SDMSetupReport(proof)) }
        if options.output.quiet { return }
        let tap = proof.tap.counter.map { " as tap \($0)" } ?? ""
        let text = "\(proof.wasDone ? "Nothing to change on" : "Set up") \(proof.reading.name) \(proof.reading.uid)"
        let address = TerminalText.escaped(proof.address)
        StandardOutput.printSentences("\(text): the URL it gave is genuine\(tap).\n\(address)")
    }
}

struct SDMStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the files, settings, keys and counter of a tag.",
        discussion: """
            With --key-file, tries each key of the file. The tag counts wrong keys.

              nfctool sdm status --key-file keys
            """)

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (keys, options) = try options.takingKeys()
        let status = try await TagSession.runForReading(options) { session in
            let tag = try await session.connect(to: session.onlyTag(for: options))
            return try await tag.dynamicStatus(keys?.keys(of: tag.target.identifier))
        }
        let presentation = DynamicPresentation(status)
        if options.output.json { return try JSONLine.print(presentation) }
        StandardOutput.printRows(presentation.text)
    }
}

struct SDMKeyChange: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Change the keys of a tag, and verify each.",
        discussion: """
            Changes the keys that --key-file names, key 0 last, and authenticates with each. A tag whose keys are lost \
            can no longer be changed, so the command asks first, unless --yes is given. After an interruption, each \
            key is the old or the new one: run the command again with the same files.

            A key file holds 32 hexadecimal digits for all keys, or lines 0 = … to 4 = …; meta is key 2, file is key 1. With \
            diversify = AN10922 these are master keys, from which each tag's keys are derived with its UID; meta is the same for all.

              nfctool sdm keys --key-file new
              nfctool sdm keys --key-file newer --old-key-file new --key-version 2
            """)

    @Option(
        help: ArgumentHelp(
            "The file with the keys the tag has now. (default: zeros, as delivered)", valueName: "file"),
        completion: .file())
    var oldKeyFile: String?

    @Option(help: ArgumentHelp("The version of the new keys, 0 to 255; anyone can read it.", valueName: "number"))
    var keyVersion: UInt8 = 1

    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (new, options) = try options.takingKeys()
        guard let new else {
            throw UsageFailure(message: "sdm keys needs the file with the new keys: --key-file FILE.")
        }
        let old =
            try oldKeyFile.map {
                try KeyFileOption.keys(in: OptionFile(option: "--old-key-file", path: $0))
            } ?? .factory
        let draft = try await TagSession.run(options) { session in
            let change = try await session.change(options, wait)
            let uid = change.uid
            return try await change.changeKeys(
                KeyChange(from: old.keys(of: uid), to: new.keys(of: uid), version: keyVersion)
            ).draft
        }
        if options.output.json { return try JSONLine.print(KeyChangeReport(draft)) }
        if options.output.quiet { return }
        StandardOutput.printSentences(DynamicFacts.outcome(draft))
    }
}

struct SDMReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Restore a tag's factory settings and keys.",
        discussion: """
            Resets the file settings first, then the keys (zeros, version 0), key 0 last. Verifies each step. The \
            content of the files stays the same. A random UID cannot be turned off again.

              nfctool sdm reset --key-file keys
            """)

    @OptionGroup var wait: WaitOptions
    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let (keys, options) = try options.takingKeys()
        let draft = try await TagSession.run(options) { session in
            let change = try await session.change(options, wait)
            return try await change.resetToFactory(openedBy: (keys ?? .factory).keys(of: change.uid))
        }
        if options.output.json { return try JSONLine.print(DynamicResetReport(draft)) }
        if options.output.quiet { return }
        let uid = draft.keys.uid.hex
        StandardOutput.printSentences(
            draft.isDone
                ? "NTAG 424 DNA \(uid) already has its factory settings and keys; nothing was changed."
                : "Reset NTAG 424 DNA \(uid): factory settings and keys, verified. Its message is kept. To erase it:  nfctool erase"
        )
    }
}
