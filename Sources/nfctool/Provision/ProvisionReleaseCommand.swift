// nfctool provision release: frees rows whose tags are lost

import ArgumentParser
import Foundation
import Hexadecimal
import Provisioning
import Terminal

struct ProvisionReleaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Free rows whose tags are lost or broken, so that other tags get them.",
        discussion: """
            The tag may hold part of the row, or all of it: destroy or erase the tag before another tag gets the \
            same row. Asks before it frees a row that a tag has, unless --yes is given, and names the tag. \
            Reports keep listing the tag, until it gets another row. \
            With --uid, a tag in quarantine can get a row again.

              nfctool provision release 12 15-18
              nfctool provision release --uid 04A1B2C3D4E580
            """)

    @Argument(help: ArgumentHelp("The numbers of the rows, such as 12 15-18.", valueName: "rows"))
    var spans: [RowSpan] = []

    @Option(help: ArgumentHelp("Take this tag out of quarantine.", valueName: "uid"))
    var uid: [TagUID] = []

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: OutputOptions

    func validate() throws {
        guard !spans.isEmpty || !uid.isEmpty else { throw ValidationError("Give the number of a row, or --uid UID.") }
    }

    func run() throws {
        let journal = try self.journal.open(self.journal.plan, reading: false).journal
        let rows = spans.numbers
        for (index, number) in rows.enumerated() {
            do {
                try release(number, in: journal)
            } catch {
                guard index > 0 else { throw error }
                throw Confirmation.error(error, after: Self.remark(freed: rows[..<index], kept: rows[index...]))
            }
        }
        for tag in uid {
            guard try journal.unquarantine(tag.bytes) else { throw NotInQuarantine(uid: tag.bytes.hex) }
            try report(ReleaseReport(row: nil, uid: tag.bytes.hex), "Tag \(tag.bytes.hex) may get a row again.")
        }
    }

    private func release(_ number: Int, in journal: any ProvisionJournal) throws {
        guard let row = try journal.row(number) else { throw try NoSuchRow(number, in: journal) }
        if let tag = row.tag {
            // Ask only one question. If a station is processing the tag of the row, a warning about this replaces the
            // facts about the tag.
            let facts =
                try journal.stationAtWork(on: row).map { station in
                    "The station \(TerminalText.escaped(station)) is connected and may be writing row \(number) to tag \(tag.uid.hex) now. If you free the row, a second tag could carry the same row."
                } ?? Self.facts(on: row, tag, SealRule(of: journal.plan).seal(of: row))
            let plan = TerminalText.escaped(journal.plan.file)
            try Confirmation(output).ask("Free row \(number) of \(plan)?", facts: facts)
        }
        do {
            try journal.release(number, evenIfProven: row.isOnTag)
        } catch {
            guard case .tagHoldsRow = error, !row.isOnTag else { throw error }
            // The tag was finished while the question was shown, so the answer did not cover this state.
            return try release(number, in: journal)
        }
        try report(ReleaseReport(row: number, uid: row.tag?.uid.hex), "Row \(number) is free again.")
    }

    /// What the tag of a row may hold, and what to do with the tag before the row is freed.
    ///
    /// A tag that was not verified may hold the whole message: its last answer may have been lost, or the process may
    /// have ended before it recorded the step. A reason that the journal stores may come from an earlier attempt.
    private static func facts(on row: JournalRow, _ tag: BoundTag, _ seal: RowSeal) -> String {
        let number = row.row.number
        var text =
            if row.proof != nil {
                row.reason == nil ? "holds row \(number)." : "was verified with row \(number)."
            } else if row.state == .written {
                "was completely written and probably carries row \(number)."
            } else {
                "was not finished, and may carry row \(number) or part of it."
            }
        if !row.isOnTag, let reason = row.reason { text += " Last problem: \(TerminalText.escaped(reason))" }
        if seal.lock, row.state == .sealed {
            text += " It was locked permanently."
        } else if seal.lock, row.state == .proven {
            text += " It may be locked, or partly locked."
        }
        return "Tag \(tag.uid.hex) \(text) If you free the row, a second tag could carry the same row. Find the "
            + "tag first: erase it, or destroy it if it is locked."
    }

    /// Returns a sentence about the rows that were freed and those that were not.
    ///
    /// For example, `Row 4 was freed; rows 5 and 6 were left as they are.`
    static func remark(freed: ArraySlice<Int>, kept: ArraySlice<Int>) -> String {
        let verb = freed.count == 1 ? "was freed" : "were freed"
        let rest = kept.count == 1 ? "was left as it is" : "were left as they are"
        let text = "\(list(freed)) \(verb); \(list(kept)) \(rest)."
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func list(_ rows: ArraySlice<Int>) -> String {
        let numbers = rows.map(String.init)
        guard let last = numbers.last, numbers.count > 1 else { return "row \(numbers.first ?? "")" }
        return "rows \(numbers.dropLast().joined(separator: ", ")) and \(last)"
    }

    private func report(_ report: ReleaseReport, _ text: String) throws {
        if output.json {
            try JSONLine.print(report, at: .now)
        } else if !output.quiet {
            StandardOutput.printSentences(text)
        }
    }
}

private struct ReleaseReport: Encodable {
    let schema = 1
    let event = "released"
    let row: Int?
    let uid: String?
}

struct NotInQuarantine: Failure {
    let uid: String
    var name: ErrorName { .usage }
    var message: String { "Tag \(uid) is not in quarantine." }
}
