// nfctool ndef check: checks whether phones handle a message as intended, and which tags it fits

import ArgumentParser
import Composing
import NDEF
import PhoneLint
import ReaderSession
import SafeTag
import Terminal

struct NDEFCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a message or a tag for phones, and list the tags that it fits.",
        discussion: """
            Checks the message from record options, a file or stdin, or with --tag the message on the tag. With --tag, and for a \
            dump, also checks the tag itself. Exits 0 even with findings, unless --strict is given.

              nfctool ndef check --uri https://example.com --app com.example.app
              nfctool ndef check message.ndef --phone ios
              nfctool ndef check --tag --strict --json
            """)

    @Argument(
        help: "A file with a message or a dump, or - for stdin. Default: stdin, unless records or --tag are given.",
        completion: .file())
    var file: String?

    @Flag(help: "Check the tag on the reader and its message.")
    var tag = false

    @Option(help: "The phones to check for: ios, android.")
    var phone = PhoneList(phones: Phone.allCases)

    @Flag(help: "Exit with 65 if there is a finding of severity error.")
    var strict = false

    @Flag(help: "Read hexadecimal text; white space and colons may separate bytes.")
    var hex = false

    @OptionGroup(title: "Records") var records: RecordOptions

    @OptionGroup(title: HelpText.shared) var options: TagOptions

    func run() async throws {
        let hasRecords = try !records.inOrder().isEmpty
        guard [hasRecords, file != nil, tag].count(where: \.self) <= 1 else {
            throw UsageFailure(message: "Give only one of these: records, a file, or --tag.")
        }
        guard tag || options.reader == nil && options.uid == nil && options.timeout == nil else {
            throw UsageFailure(message: "--reader, --uid and --timeout choose a tag: add --tag.")
        }
        if tag {
            try await checkTags()
        } else {
            try finish([try check(hasRecords: hasRecords)], failure: nil)
        }
    }

    private var lint: PhoneLint { PhoneLint(phones: phone.phones) }

    private func check(hasRecords: Bool) throws -> Check {
        if hasRecords {
            // The message contains zeros in place of the values that a chip will show.
            let message = NDEFMessage(records: try records.mirrored().records)
            return Check(message, storedLength: message.length, by: lint)
        }
        switch try StoredMessage(
            of: MessageFile(argument: file, isHex: hex, orGive: ", record options such as --uri, or --tag"))
        {
        case .message(let message, let bytes): return Check(message, storedLength: bytes.count, by: lint)
        case .dump(let tag): return try tag.check(by: lint)
        }
    }

    private func checkTags() async throws {
        let lint = lint
        let (checks, failure) = try await TagSession.runForReading(options) { session in
            var checks: [Check] = []
            var failure: (any Error)?
            for detected in try await session.tags(for: options) {
                do {
                    let tag = try await session.connect(to: detected)
                    let found = try await tag.perform { try CheckedTag($0) }
                    checks.append(try Check(found, of: tag.target, on: session.reader, by: lint))
                } catch {
                    failure = failure ?? error
                }
            }
            return (checks, failure)
        }
        try finish(checks, failure: failure)
    }

    private func finish(_ checks: [Check], failure: (any Error)?) throws {
        for check in checks {
            if options.output.json {
                try JSONLine.print(CheckReport(check))
            } else {
                CheckPresentation(check, phones: phone.phones, style: .standardOutput).print()
            }
        }
        if let failure { throw failure }
        let errors = checks.flatMap(\.findings).count { $0.severity == .error }
        if strict, errors > 0 { throw FailedCheck(errors: errors) }
    }
}

/// A list of phones as an argument, such as `ios,android`.
struct PhoneList: ExpressibleByArgument {
    let phones: [Phone]

    init(phones: [Phone]) { self.phones = phones }

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let chosen = words.compactMap { Phone(rawValue: $0.lowercased()) }
        guard chosen.count == words.count else { return nil }
        phones = Phone.allCases.filter(chosen.contains)
    }

    var defaultValueDescription: String { phones.map(\.rawValue).joined(separator: ",") }

    /// Completes the names of single phones, and the list of all phones.
    static var defaultCompletionKind: CompletionKind {
        let words = Phone.allCases.map(\.rawValue)
        return .list(words + [words.joined(separator: ",")])
    }
}

/// A check with `--strict` that found errors.
struct FailedCheck: Failure {
    let errors: Int
    var name: ErrorName { .badNDEF }
    var message: String { "The check found \(errors == 1 ? "1 error" : "\(errors) errors")." }
    var details: [String: FailureDetail] { ["findings": .number(errors)] }
}
