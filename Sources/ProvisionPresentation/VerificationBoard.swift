// The operator's display of a verification, with events in and lines out — Docs/CommandLine.md, provision verify

package import Foundation
package import Provisioning
package import Terminal

/// The state of a verification for the terminal view.
///
/// It has no clock: each event comes with the time since the verification began.
package struct VerificationBoard: Sendable {
    /// A tag that does not agree with its row.
    private struct Difference: Sendable {
        let event: ProvisionEvent
        let time: Duration
    }

    private let plan: String
    /// The number of rows to verify: those with a tag, or as many as a spot check asks for.
    private let rows: Int
    private let wanted: Int?
    private let planRows: Int
    private let began: Date
    private let labels: RowLabels
    private var panels: ReaderPanels
    private var results = RecentResults()
    private var rowsSeen: Set<Int> = []
    /// The UIDs of the tags that agree with their rows, and the tags that do not.
    private var agreeing: Set<[UInt8]> = []
    private var differing: [[UInt8]: Difference] = [:]
    private var summary: VerificationSummary?

    /// Creates the board for the current state of the journal.
    ///
    /// - Parameters:
    ///   - plan: the name of the plan's file.
    ///   - counts: the number of rows in each state.
    ///   - wanted: the number of rows to verify, or nil for every row with a tag.
    ///   - began: the time when the verification began.
    ///   - names: the names under which the readers are shown.
    ///   - order: the readers' names in the command, in the order of their panels.
    ///   - labels: the labels of the rows.
    package init(
        plan: String, counts: [RowState: Int], wanted: Int? = nil, began: Date = .now,
        names: ReaderNames = ReaderNames(), order: [String] = [], labels: RowLabels = RowLabels()
    ) {
        self.plan = plan
        planRows = counts.values.reduce(0, +)
        let rowsWithTag = planRows - (counts[.pending] ?? 0)
        rows = min(wanted ?? rowsWithTag, rowsWithTag)
        self.wanted = wanted
        self.began = began
        self.labels = labels
        panels = ReaderPanels(order: order, names: names, labels: labels)
    }

    package mutating func apply(_ event: ProvisionEvent, at time: Duration) {
        panels.apply(event)
        switch event {
        case .removed: return
        case .checkedAll(let summary): self.summary = summary
        case .checked(let check):
            results.add(event, at: time)
            if let row = check.row { rowsSeen.insert(row.row.number) }
            // If a tag is placed more than once, the last result counts.
            if check.agrees {
                agreeing.insert(check.uid)
                differing[check.uid] = nil
            } else {
                agreeing.remove(check.uid)
                differing[check.uid] = Difference(event: event, time: time)
            }
        default: results.add(event, at: time)
        }
    }

    package func line(_ style: Style) -> ProvisionLine {
        ProvisionLine(style, rows: planRows, readers: panels.readers.count, names: panels.names, labels: labels)
    }

    /// Returns the board as at most `height` lines, none of them wider than the style's width.
    ///
    /// If `isLast` is set, the board stays on the terminal: it lists each tag that does not agree, with the reason, and
    /// may have more than `height` lines.
    package func lines(_ style: Style, height: Int, at now: Duration, isLast: Bool = false) -> [String] {
        let width = style.width
        let isSpacious = height >= Self.spaciousHeight
        let gap = isSpacious ? [InkedText("")] : []
        let head = header(width, now) + gap
        let room = height - head.count - Self.fewestResults - gap.count
        let middle = summary.map { ending($0, width) } ?? panels.lines(width, room: room)
        var board = (head + middle).map { $0.cut(to: width).painted(style) }
        if isSpacious, !isLast || !differing.isEmpty { board.append("") }
        guard !isLast else { return board + differences(style) }
        board += results.lines(line(style), since: began, limit: max(0, height - board.count), isWhole: false)
        return Array(board.prefix(max(0, height)))
    }

    private static let fewestResults = 3
    /// The minimum height, in lines, at which blank lines separate the parts.
    private static let spaciousHeight = 15

    private func header(_ width: Int, _ now: Duration) -> [InkedText] {
        let title = InkedText.title("Verifying \(plan)", elapsed: summary?.elapsed ?? now, width: width)
        guard rows > 0 else { return [title, InkedText("No row has a tag yet.", .faint)] }
        var facts = [InkedText("\(agreeing.count) \(agreeing.count == 1 ? "agrees" : "agree")")]
        if !differing.isEmpty {
            let verb = differing.count == 1 ? "does" : "do"
            facts.append(InkedText("\(differing.count) \(verb) not agree", .bad))
        }
        let bar = InkedText.bar(min(rowsSeen.count, rows), of: rows, width: width)
        return [title, bar] + InkedText.lines(of: facts, width: width)
    }

    private func ending(_ summary: VerificationSummary, _ width: Int) -> [InkedText] {
        let isComplete = summary.isAgreed && summary.unchecked(of: wanted).rows == 0
        let mark = isComplete ? InkedText("✔ ", .good) : InkedText("■ ", .warning)
        return (mark + InkedText(summary.text, isComplete ? .good : .warning, .strong)).wrapped(to: width, indent: 2)
    }

    /// Returns the lines for the tags that do not agree, in the order in which they were placed.
    private func differences(_ style: Style) -> [String] {
        let line = line(style)
        return differing.values.sorted { $0.time < $1.time }.flatMap { difference in
            let text = line.text(difference.event, at: began + difference.time / .seconds(1), isWhole: true) ?? ""
            return text.components(separatedBy: "\n")
        }
    }
}
