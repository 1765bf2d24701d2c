// A misspelt command gets a suggestion, and is no success — CLI.md, 64

import ArgumentParser

/// The words of a command line that name a command.
struct CommandWords {
    private let words: ArraySlice<String>

    /// - Parameter arguments: without the program's name.
    init(_ arguments: [String]) {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        self.words = words.first == "help" ? words.dropFirst() : words
    }

    /// - Throws: ``UnknownCommand`` for a word that stands where a command must, and is none.
    func check() throws {
        var parent = NFCTool.configuration
        for word in words {
            let commands = parent.subcommands.map { $0.configuration }
            // A plan may stand in the place of what is done with it.
            if commands.isEmpty || word == "help" || parent.commandName == ProvisionCommand.name { return }
            guard let command = commands.first(where: { $0.commandName == word }) else {
                throw UnknownCommand(word: word, known: commands.compactMap(\.commandName))
            }
            parent = command
        }
    }
}

/// A word that is no command.
struct UnknownCommand: Failure {
    /// More slips than this make another word.
    private static let mostSlips = 2

    let word: String
    /// The command that was probably meant.
    let suggestion: String?

    init(word: String, known: [String]) {
        self.word = word
        let near = known.map { ($0, Self.slips(Array(word), Array($0))) }.filter { $0.1 <= Self.mostSlips }
        suggestion = near.min { $0.1 < $1.1 }?.0
    }

    var name: ErrorName { .usage }
    var message: String {
        let meant = suggestion.map { " Did you mean \($0)?" } ?? ""
        return "There is no command \(word).\(meant) `nfctool help` lists the commands."
    }

    /// How many letters are missing, too many, wrong, or swapped with their neighbour.
    private static func slips(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for (i, character) in one.enumerated() {
            var row = [i + 1]
            for (j, wanted) in other.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (character == wanted ? 0 : 1))
                if i > 0, j > 0, one[i - 1] == wanted, character == other[j - 1] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
