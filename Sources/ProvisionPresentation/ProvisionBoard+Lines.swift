// The board laid out for a terminal of any size

import Foundation
import Provisioning
package import Terminal

extension ProvisionBoard {
    /// Returns the board as at most `height` lines, none of them wider than the style's width.
    ///
    /// If there is little room, the lines that the operator must see from a distance come first. If `isLast` is set,
    /// the board stays on the terminal after the run: it shows reasons in full, and may have more than `height` lines.
    package func lines(_ style: Style, height: Int, at now: Duration, isLast: Bool = false) -> [String] {
        let width = style.width
        var head = header(width, now)
        if height < Self.lowHeight { head = Array(head.prefix(Self.fewestHeaderLines)) }
        let waiting = openLines(width, limit: Self.openLimit(height)) + failedLines()
        let isSpacious = height >= Self.spaciousHeight
        let panels = panels(
            width, room: height - head.count - waiting.count - Self.fewestResults - (isSpacious ? 3 : 0))
        if isSpacious { head.append(InkedText("")) }
        var lines = head + panels
        if isSpacious { lines.append(InkedText("")) }
        let tail = isSpacious && !waiting.isEmpty ? [InkedText("")] + waiting : waiting
        let room = max(0, height - lines.count - tail.count)
        let painted = { (lines: [InkedText]) in lines.map { $0.cut(to: width).painted(style) } }
        let all = painted(lines) + resultLines(style, room, isWhole: isLast) + painted(tail)
        return isLast ? all : Array(all.prefix(max(0, height)))
    }

    private static let fewestResults = 3
    /// The minimum height, in lines, at which blank lines separate the parts.
    private static let spaciousHeight = 15
    /// The height in lines below which only the most important facts are shown, and the number of header lines in that
    /// case.
    private static let (lowHeight, fewestHeaderLines) = (12, 3)
    private static func openLimit(_ height: Int) -> Int { min(max(1, height / 8), 6) }

    // MARK: The plan

    private func header(_ width: Int, _ now: Duration) -> [InkedText] {
        let title = InkedText.title(plan, elapsed: progress.summary?.elapsed ?? now, width: width)
        let bar = InkedText.bar(progress.done, of: progress.rows, width: width)
        return [title, bar] + InkedText.lines(of: facts(now), width: width)
    }

    private func facts(_ now: Duration) -> [InkedText] {
        var facts: [InkedText] = []
        let (good, all) = progress.yield
        if all > 0 {
            let share = ProvisionFigure.percent(good, of: all)
            facts.append(
                InkedText("yield ", .faint) + InkedText(share, good == all ? .good : .warning)
                    + InkedText(" (\(good) of \(all))"))
        }
        if progress.summary == nil {
            if let rate = progress.pace.perMinute(at: now) {
                facts.append(InkedText("\(ProvisionFigure.fixed(rate, rate < 10 ? 1 : 0)) a minute"))
            }
            if let time = progress.timeLeft(at: now) { facts.append(InkedText("\(ProvisionFigure.about(time)) left")) }
        }
        if let limit = progress.limit { facts.append(InkedText("\(progress.doneNow) of at most \(limit) in this run")) }
        if facts.isEmpty {
            facts.append(InkedText(progress.left == 1 ? "1 row to go" : "\(progress.left) rows to go", .faint))
        }
        return facts
    }

    // MARK: Readers

    private func panels(_ width: Int, room: Int) -> [InkedText] {
        if let summary = progress.summary { return [ending(summary)] }
        return readerPanels.lines(width, room: room, isWithoutRows: progress.isWithoutRows)
    }

    private func ending(_ summary: ProvisionSummary) -> InkedText {
        if summary.isComplete {
            return InkedText("✔ ", .good)
                + InkedText(
                    progress.rows == 1 ? "The row is provisioned." : "All \(progress.rows) rows are provisioned.",
                    .good, .strong)
        }
        let (left, failed) = (summary.counts.left, summary.counts.failed)
        let remains = left == 1 ? "1 row remains" : "\(left) rows remain"
        let share = failed == 0 ? "." : left == 1 ? ": it failed." : ", \(failed) of them failed."
        return InkedText("■ ", .warning) + InkedText(remains + share, .warning, .strong)
            + InkedText("  Run the same command to continue.")
    }

    // MARK: Results and open rows

    private func resultLines(_ style: Style, _ room: Int, isWhole: Bool) -> [String] {
        let line = ProvisionLine(
            style, rows: progress.rows, readers: readers.count, names: names, naming: journal, labels: labels)
        return results.lines(line, since: began, limit: room, isWhole: isWhole)
    }

    /// Returns the tags to place again, such as `Place again: 04A1B2C3D4E580 row 7, 04A1B2C3D4E680 row 9 and 3 more`.
    private func openLines(_ width: Int, limit: Int) -> [InkedText] {
        let open = progress.open.filter { failures[$0.row]?.isFinal != true }
        let count = open.count + progress.unnamedOpen
        guard count > 0 else { return [] }
        var lines: [InkedText] = []
        var line = InkedText("Place again:", .warning, .strong)
        var named = 0
        for row in open {
            let item = InkedText(" \(row.uid)") + InkedText(" row \(row.row)", .faint)
            // The last line ends with the number of tags that are not listed.
            let more = lines.count == limit - 1 && named + 1 < count ? " and \(count) more".columns : 0
            let isFull = line.columns + item.columns + 2 + more > width
            if isFull, lines.count == limit - 1 { break }
            if named > 0 { line += InkedText(",") }
            if isFull {
                lines.append(line)
                line = InkedText(" ")
            }
            line += item
            named += 1
        }
        if named < count {
            line += InkedText(named > 0 ? " and \(count - named) more" : " \(count) \(count == 1 ? "tag" : "tags")")
        }
        return lines + [line]
    }

    /// Returns the rows that no tag can get until freed: `Failed: row 3. Free it:  nfctool provision release 3`.
    private func failedLines() -> [InkedText] {
        let rows = failures.filter(\.value.isFinal).keys.sorted()
        let named = rows.prefix(Self.namedFailures).map(String.init)
        var text = ""
        if !named.isEmpty {
            let more = rows.count > named.count ? " and \(rows.count - named.count) more" : ""
            text =
                " row\(rows.count == 1 ? "" : "s") \(named.joined(separator: ", "))\(more). Free \(rows.count == 1 ? "it" : "them"):"
                + "  nfctool provision release \(named.joined(separator: " "))\(journal)"
        } else if earlierFailures > 0 {
            text =
                (earlierFailures == 1 ? " 1 row, outside this run." : " \(earlierFailures) rows, outside this run.")
                + " To list \(earlierFailures == 1 ? "it" : "them"):  nfctool provision status\(journal)"
        }
        return text.isEmpty ? [] : [InkedText("Failed:", .bad, .strong) + InkedText(text)]
    }

    /// The maximum number of rows listed.
    ///
    /// Other rows are only counted.
    private static let namedFailures = 4
}
