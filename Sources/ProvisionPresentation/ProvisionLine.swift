// One line for each event of a run, for the terminal view's list and for other output — Docs/CommandLine.md

package import Foundation
import MemoryPresentation
package import Provisioning
package import Terminal

/// Formats the result for a tag or reader, with its time.
package struct ProvisionLine {
    private let style: Style
    private let rowDigits: Int
    /// The names of the readers, if each line includes its reader.
    private let names: ReaderNames?
    private let allNames: ReaderNames
    private let journal: String
    private let labels: RowLabels

    /// The terminal widths, in columns, below which the chip and then also the time are left out.
    private static let (chipWidth, clockWidth) = (72, 56)
    /// The widths in columns of a UID of seven bytes, and of a chip name such as NTAG213.
    private static let (uidColumns, chipColumns) = (14, 7)

    /// Creates a formatter for the lines of a run.
    ///
    /// Row numbers are padded to the digits of `rows`, the number of rows in the plan. If there are several readers,
    /// each line also includes its reader's name from `names`. Commands in the advice end with `journal`, the options
    /// that name the journal, such as ` --plan tags.csv`. `labels` supplies the labels of the rows.
    package init(
        _ style: Style, rows: Int, readers: Int, names: ReaderNames = ReaderNames(), naming journal: String = "",
        labels: RowLabels = RowLabels()
    ) {
        self.style = style
        self.journal = journal
        self.labels = labels
        rowDigits = "\(rows)".count
        allNames = names
        self.names = readers > 1 ? names : nil
    }

    /// Returns the line for an event, or nil for an event that only reports activity.
    ///
    /// On a terminal, the line is cut to the terminal's width. If `isWhole` is set, the reason for a failure and a
    /// summary are wrapped instead. If the output is not a terminal, the line is never cut, and words replace marks and
    /// colours.
    package func text(_ event: ProvisionEvent, at time: Date, isWhole: Bool = false) -> String? {
        guard let body = body(event) else { return nil }
        var line = InkedText("")
        if !style.isTerminal || style.width >= Self.clockWidth {
            line += InkedText(Self.clock(time), .faint) + InkedText("  ")
        }
        line += body
        guard style.isTerminal else { return line.painted(style) }
        guard isWhole, Self.saysWhy(event) else { return line.cut(to: style.width).painted(style) }
        let indent = style.width < Self.clockWidth ? 2 : 12
        return line.wrapped(to: style.width, indent: indent).map { $0.painted(style) }.joined(separator: "\n")
    }

    private static func saysWhy(_ event: ProvisionEvent) -> Bool {
        switch event {
        case .readerLost, .databaseAway, .weakField, .manyRefused, .initialising, .ended, .checkedAll: true
        default: ProvisionVerdict(event)?.reason != nil
        }
    }

    private func body(_ event: ProvisionEvent) -> InkedText? {
        switch event {
        case .readerOpened(let reader, _):
            return mark("●", .good) + InkedText("reader \(allNames[reader])")
        case .readerLost(let reader, _, let reason):
            return mark("○", .bad) + InkedText("reader \(allNames[reader]) lost", .bad) + InkedText("  \(reason)")
        case .weakField(let reader, let troubled, let count):
            return mark("!", .warning) + InkedText("reader \(name(of: reader))", .warning)
                + InkedText(
                    "  \(troubled) of the last \(count) tags had trouble. Check the antenna: metal nearby, the "
                        + "distance, and where the tags are placed.")
        case .manyRefused(let reader, let refused, let count):
            return mark("!", .bad) + InkedText("reader \(name(of: reader))", .bad)
                + InkedText(
                    "  \(refused) of the last \(count) tags were refused or failed. Are these the tags of this plan?",
                    .strong)
        case .initialising(let tag, _, let target):
            return mark("!", .warning) + InkedText("\(tag.uid) is blank", .warning)
                + InkedText("  \(target.initialisingText)")
        case .databaseAway(let reason, let keptRows, let keptTags):
            let kept =
                (keptRows == 0
                    ? ""
                    : " The last steps of \(keptRows == 1 ? "1 row" : "\(keptRows) rows") are kept in memory until then.")
                + (keptTags == 0
                    ? ""
                    : " \(keptTags == 1 ? "1 refused tag is" : "\(keptTags) refused tags are") also kept in memory.")
            return mark("○", .bad) + InkedText("database away", .bad)
                + InkedText("  \(reason) No tag gets a row until the database is back.\(kept)")
        case .databaseBack(let back):
            let moved = back.moved.map(String.init).joined(separator: ", ")
            return mark("●", .good)
                + InkedText("database back after \(ProvisionFigure.seconds(back.after / .seconds(1)))")
                + InkedText(
                    back.stored.isEmpty
                        ? ""
                        : back.stored.count == 1 ? "  1 kept row stored" : "  \(back.stored.count) kept rows stored")
                + InkedText(moved.isEmpty ? "" : "  Released in the meantime, not stored: rows \(moved)", .warning)
        case .started, .removed:
            return nil
        case .ended(let summary):
            return mark("■", .heading) + InkedText(summary.text)
        case .checkedAll(let summary):
            return mark("■", .heading) + InkedText(summary.text)
        case .finished(_, _, _, let proof, _):
            let facts = InkedText("  \(proof.messageLength) bytes  \(ProvisionFigure.seconds(proof.seconds))", .faint)
            return verdict(event, facts)
        default:
            return verdict(event)
        }
    }

    /// Returns the name of a reader.
    ///
    /// On a terminal, it is shortened so that the sentence after it stays visible.
    private func name(of reader: String) -> String {
        style.isTerminal ? allNames.short(reader) : allNames[reader]
    }

    private func verdict(_ event: ProvisionEvent, _ facts: InkedText = InkedText("")) -> InkedText? {
        guard let verdict = ProvisionVerdict(event, naming: journal) else { return nil }
        var line = mark(verdict.kind.mark, verdict.kind.ink)
        // On a narrow terminal, leave out the reader, because the end of the line is cut off.
        if let names, !style.isTerminal || style.width >= Self.clockWidth {
            line += InkedText(
                name(of: verdict.tag.reader).padded(to: style.isTerminal ? names.columns : 0) + "  ", .faint)
        }
        line += InkedText(verdict.tag.uid.padded(to: Self.uidColumns), .strong)
        if !style.isTerminal || style.width >= Self.chipWidth {
            line += InkedText("  " + verdict.tag.chip.padded(to: Self.chipColumns))
        }
        if let row = verdict.row {
            line += InkedText("  row " + String(repeating: " ", count: max(0, rowDigits - "\(row.number)".count)))
            line += InkedText(labels.name(of: row))
        } else {
            line += InkedText("  ") + InkedText(verdict.unnumbered.padded(to: "row ".columns + rowDigits), .bad)
        }
        line += InkedText("  ") + InkedText(verdict.words, verdict.kind.ink)
        if let reason = verdict.reason { line += InkedText(": ") + InkedText(reason) }
        if let advice = verdict.advice { line += InkedText("  \(advice)", .faint) }
        line += facts
        return line
    }

    private func mark(_ mark: String, _ ink: Ink) -> InkedText {
        style.isDecorated ? InkedText(mark, ink) + InkedText(" ") : InkedText("")
    }

    private static func clock(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "--:--:--" }
        return [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
