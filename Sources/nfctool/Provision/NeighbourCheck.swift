// The warning and the question about other journals that may already contain rows of a new plan

import Doctor
import Foundation
import Provisioning
import Terminal

/// The other journals that already contain rows of a new plan, and those that cannot be read.
struct NeighbourCheck {
    /// The journals that contain rows of the plan.
    let journals: [NeighbourJournal]
    /// The errors of journals that cannot be read and that may contain rows of the plan.
    let unreadable: [JournalError]
    /// The path of the plan's journal if it is not named, without symbolic links.
    let usualPath: String
    /// The plan's own journal, if it was used before and no longer exists.
    var lost: LostJournal?
    /// The copies of the plan's journal that gave rows to other tags.
    var copies: [DivergedCopy] = []

    /// An empty result.
    static let nothing = NeighbourCheck(journals: [], unreadable: [], usualPath: "")

    /// What was found.
    var texts: [String] {
        journals.map(\.text) + doubtful.map(Self.text) + copies.map(\.text)
            + [unreadableText, lost?.text].compactMap(\.self)
    }

    /// The maximum number of journals to name.
    private static let named = 3

    /// The error of the journal next to the plan that has its name.
    private var doubtful: [JournalError] { unreadable.filter { $0.path == usualPath } }

    private static func text(_ error: JournalError) -> String {
        "\(error) Tags may already have rows of this plan."
    }

    /// A sentence about the other journals that cannot be read, or nil if there are none.
    private var unreadableText: String? {
        let others = unreadable.filter { $0.path != usualPath }
        guard let first = others.first else { return nil }
        return others.count == 1
            ? "\(first) So nfctool cannot check whether it has rows of this plan."
            : "These journals cannot be read, so nfctool cannot check whether they have rows of this plan: "
                + others.prefix(Self.named).compactMap(\.path).joined(separator: ", ")
                + (others.count > Self.named ? " and \(others.count - Self.named) more." : ".")
    }

    /// Asks whether to start the plan although some of its rows may already have tags.
    ///
    /// If no row has one, and no process works with the other journal, this only warns. It also only warns about a
    /// journal that cannot be read, unless that journal is next to the plan and has its name.
    ///
    /// `--yes` does not answer the question, because scripts use it for blank tags and locks.
    ///
    /// - Parameters:
    ///   - output: the options for the question.
    ///   - isAgreed: whether `--repeat-rows` answers the question.
    /// - Throws: an error of ``Confirmation``.
    func confirm(_ output: OutputOptions, isAgreed: Bool) throws {
        let warning = Warning.events(output)
        for journal in journals where !journal.isAsked { warning.show(journal.text) }
        if let unreadableText { warning.show(unreadableText) }
        if let lost, lost.isBuiltAgain { warning.show(lost.text) }
        let missing = lost.flatMap { $0.isBuiltAgain ? nil : $0.text }
        let facts =
            journals.filter(\.isAsked).map(\.text) + doubtful.map(Self.text) + copies.map(\.text)
            + [missing].compactMap(\.self)
        guard !facts.isEmpty else { return }
        try Confirmation(output, answeredBy: "--repeat-rows", isAgreed: isAgreed).ask(
            "Write the same rows to other tags?", facts: facts.map(TerminalText.escaped).joined(separator: "\n"))
    }
}

/// The journal of a plan that was used before and no longer exists.
struct LostJournal {
    let path: String
    /// Whether tags with the messages of rows get these rows again.
    let isBuiltAgain: Bool

    var text: String {
        let fact = "The journal \(URL(fileURLWithPath: path).shortPath) was used before and is missing now."
        return isBuiltAgain
            ? "\(fact) Place all tags that are already written first. Each gets the row that it holds."
            : "\(fact) Tags may already have rows of this plan. Restore the journal, or build it again with --overwrite same."
    }
}

extension DivergedCopy {
    /// The fact for the question whether to write the rows to other tags.
    fileprivate var text: String {
        "\(file.shortPath) is a copy of this journal, and has \(rows.count == 1 ? "a tag" : "tags") for \(rows.text). "
            + "This run would write the same \(rows.count == 1 ? "row" : "rows") to other tags. Use only one of the two journals."
    }
}

extension URL {
    /// The name of a file in the current folder, or the path of another file.
    fileprivate var shortPath: String {
        let here = URL(fileURLWithPath: ".").resolvingSymlinksInPath().path
        return deletingLastPathComponent().resolvingSymlinksInPath().path == here ? lastPathComponent : path
    }
}

extension NeighbourJournal {
    /// Whether the user is asked before a run begins.
    fileprivate var isAsked: Bool { rowsWithTags > 0 || isInUse }

    /// The warning that some rows of the plan already have tags, and the options that continue the earlier plan
    /// instead.
    var text: String {
        let share =
            "\(rowsWithTags) of its \(rows) \(rows == 1 ? "row" : "rows") \(rowsWithTags == 1 ? "has a tag" : "have tags")"
        let (fact, same) =
            switch overlap {
            case .wholePlan: ("belongs to a plan with the same content, \(plan.file)", "rows")
            case .numbers(let numbers) where numbers.count == 1: ("contains number \(numbers.lowerBound)", "number")
            case .numbers(let numbers):
                ("contains numbers from \(numbers.lowerBound) to \(numbers.upperBound)", "numbers")
            case .rows(let numbers) where numbers.count == 1: ("has a tag for \(numbers.text) of this plan", "row")
            case .rows(let numbers): ("has tags for \(numbers.text) of this plan", "rows")
            }
        let use = isInUse ? " Another process is using it." : ""
        // If no row has a tag and no process works with the journal, no row can be written twice.
        let digits = drawsDigits ? ", with other random digits" : ""
        let effect = isAsked ? " This run would write the same \(same) to other tags\(digits)." : ""
        let advice = option.map { " To continue that plan instead, use \($0)." } ?? ""
        return "\(name) already \(fact): \(share).\(use)\(effect)\(advice)\(removal)"
    }

    /// The advice to remove rows that already have tags from this plan.
    ///
    /// Empty if the two plans do not share rows of a list.
    private var removal: String {
        guard case .rows(let rows) = overlap else { return "" }
        let object = rows.count == 1 ? "this row" : "these rows"
        return option == nil ? " Remove \(object) from this plan." : " Otherwise, remove \(object) from this plan."
    }

    /// The options that continue the earlier plan, or nil if this is not possible.
    private var option: String? {
        switch (place, continuation) {
        case (_, nil): nil
        case (.file, .asItIs?): "--journal \(ShellLine.quoted(name))"
        case (.file, .extended?): "--extend --journal \(ShellLine.quoted(name))"
        case (.database(_, let plan), .asItIs?): "--plan \(ShellLine.quoted(plan)) in place of this plan's name"
        // In a database, the plan of a range is named after the range, so a longer range is a plan with another name.
        case (.database, .extended?): nil
        }
    }

    /// The name of the journal.
    ///
    /// In a database, it consists of the database and the plan. For a file, it is the file name, or the path if the
    /// file is not in the current folder.
    private var name: String {
        switch place {
        case .database(let journal, _): return journal
        case .file(let file): return file.shortPath
        }
    }
}
