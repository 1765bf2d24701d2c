// The options for reporting results to the operator by sound or light — Docs/CommandLine.md, --beep and --led

import ArgumentParser

/// The events that cause a sound.
///
/// Empty for `off`.
struct Beep: OptionSet, Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) { self.rawValue = rawValue }

    /// A tag holds its row, or a command for one tag succeeded.
    static let ok = Beep(rawValue: 1)
    /// A tag was refused, a change to it was interrupted or failed, or a reader was lost.
    static let fail = Beep(rawValue: 2)
}

/// Whether the reader's lamp shows results.
enum Lamp: String, CaseIterable, ExpressibleByArgument {
    case on, off
}

extension Beep: ExpressibleByArgument {
    private static let words: [(word: String, beep: Beep)] = [("ok", .ok), ("fail", .fail)]
    private static let off = "off"

    init?(argument: String) {
        guard argument != Self.off else {
            self = []
            return
        }
        self = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let beep = Self.words.first(where: { $0.word == word })?.beep else { return nil }
            insert(beep)
        }
    }

    var defaultValueDescription: String {
        isEmpty ? Self.off : Self.words.filter { contains($0.beep) }.map(\.word).joined(separator: ",")
    }

    static var allValueStrings: [String] { ["ok", "fail", "ok,fail", off] }

    /// The parser lists values only for types whose values are cases.
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
