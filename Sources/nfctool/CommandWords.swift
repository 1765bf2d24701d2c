// Suggestions for misspelt commands — Docs/ExitCodes.md, 64

import ArgumentParser
import Composing
import Doctor
import Foundation

/// The words of a command line that name a command.
struct CommandWords {
    private let words: ArraySlice<String>
    private let arguments: [String]

    /// - Parameter arguments: the arguments of the program, without the program's own name.
    init(_ arguments: [String]) {
        self.arguments = arguments
        let words = arguments.prefix { !$0.hasPrefix("-") }
        self.words = words.first == "help" ? words.dropFirst() : words
    }

    /// The command or the most specific subcommand that the words name, or nil if they name none.
    var command: (any ParsableCommand.Type)? {
        var command: any ParsableCommand.Type = NFCTool.self
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            command = next
        }
        if words.first == ProvisionCommand.name, command == ProvisionCommand.self { return ProvisionRunCommand.self }
        return command
    }

    /// - Throws: ``UnknownCommand`` if the word in the place of a command names no command; ``UnknownPlan``;
    ///   ``MisplacedOption``.
    func check() throws {
        if let misplaced = MisplacedOption(arguments) { throw misplaced }
        var parent = NFCTool.configuration
        for word in words {
            let commands = parent.subcommands.map { $0.configuration }
            if commands.isEmpty || word == "help" { return }
            guard let command = commands.first(where: { $0.commandName == word }) else {
                let known = commands.compactMap(\.commandName)
                // In place of a subcommand, a plan may be given.
                if parent.commandName != ProvisionCommand.name { throw UnknownCommand(word: word, known: known) }
                if let unknown = UnknownPlan(word: word, known: known) { throw unknown }
                return
            }
            parent = command
        }
    }
}

extension CommandWords {
    /// The minimum number of letters in a word for it to count as the beginning of a command.
    private static let fewestLetters = 3

    /// Returns the command that a word resembles, or the only command that begins with the word.
    ///
    /// Nil if there is no such command.
    fileprivate static func meant(_ word: String, among known: [String]) -> String? {
        if let near = Spelling(word).nearest(in: known) { return near }
        let longer = known.filter { $0.hasPrefix(word.lowercased()) }
        return word.count >= fewestLetters && longer.count == 1 ? longer.first : nil
    }
}

/// A word in the place of a command that does not name one.
struct UnknownCommand: Failure {
    let word: String
    /// The command that was probably meant, or nil if there is no suggestion.
    let suggestion: String?

    private static let impossible = [
        "unlock": "A lock cannot be removed. `nfctool unprotect` removes a password.",
        "completion": "To print a completion script:  nfctool --generate-completion-script bash (or zsh, fish).",
    ]

    init(word: String, known: [String]) {
        self.word = word
        suggestion = Self.impossible[word] == nil ? CommandWords.meant(word, among: known) : nil
    }

    var name: ErrorName { .usage }
    var message: String {
        let meant = (Self.impossible[word] ?? suggestion.map { "Did you mean \($0)?" }).map { " " + $0 } ?? ""
        return "There is no command \(word).\(meant) `nfctool help` lists the commands."
    }
}

/// A word in the place of a plan that resembles a command and is not an existing file.
struct UnknownPlan: Failure {
    let word: String
    let suggestion: String

    /// Returns nil if the word is the name of an existing file or resembles no command.
    init?(word: String, known: [String]) {
        guard !FileManager.default.fileExists(atPath: word), let meant = CommandWords.meant(word, among: known)
        else {
            return nil
        }
        self.word = word
        suggestion = meant
    }

    var name: ErrorName { .usage }
    var message: String {
        "There is no plan \(word). Did you mean \(ProvisionCommand.name) \(suggestion)? `nfctool help \(ProvisionCommand.name)` lists the commands."
    }
}

/// An option that is given before the name of the command.
struct MisplacedOption: Failure, AdvisedError {
    private let arguments: [String]

    /// The options of nfctool itself, and those that shells use to ask for completions.
    private static let own = ["-h", "-help", "--help", "--help-hidden", "--version", "--experimental-dump-help"]

    /// Returns nil if the first argument is not an option or is an option of nfctool itself.
    init?(_ arguments: [String]) {
        guard let first = arguments.first, first.hasPrefix("-"), first.count > 1, !first.hasPrefix("---"),
            !Self.own.contains(first), !first.hasPrefix("--generate-completion-script")
        else { return nil }
        self.arguments = arguments
    }

    var name: ErrorName { .usage }
    var message: String { "The option \(arguments[0]) must come after the name of a command." }
    var advice: String? {
        let commands = NFCTool.configuration.subcommands.compactMap { $0.configuration.commandName }
        guard let place = arguments.firstIndex(where: { commands.contains($0) }) else {
            // Many programs show their version with these options.
            let isVersion = ["-v", "-V"].contains(arguments[0])
            return isVersion ? "To show the version:  nfctool --version" : "`nfctool help` lists the commands."
        }
        let words: [String] = [arguments[place]] + arguments[..<place] + arguments[(place + 1)...]
        return "Try:  nfctool " + words.map(ShellLine.quoted).joined(separator: " ")
    }
}
