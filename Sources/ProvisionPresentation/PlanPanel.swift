// The overview of a plan, laid out for a terminal of any size

import Foundation
package import Provisioning
package import Terminal

/// The display of `provision status --watch` on a terminal.
package struct PlanPanel: Sendable {
    private var overview: PlanOverview?
    private var absence: String?

    package init() {}

    package mutating func show(_ sight: PlanWatch.Sight) {
        switch sight {
        case .overview(let overview): (self.overview, absence) = (overview, nil)
        case .away(let reason, let since): absence = "The database has not answered since \(since.clock): \(reason)"
        }
    }

    /// Returns the panel as at most `height` lines, none of them wider than the style's width.
    package func lines(_ style: Style, height: Int) -> [String] {
        var lines: [InkedText] = []
        if let overview { lines = overview.lines(width: style.width, height: height - (absence == nil ? 0 : 1)) }
        if let absence { lines.append(InkedText(absence, .warning, .strong)) }
        return lines.prefix(max(0, height)).map { $0.cut(to: style.width).painted(style) }
    }
}

extension PlanOverview {
    func lines(width: Int, height: Int) -> [InkedText] {
        let plan = plan.file.split(separator: "/").last.map(String.init) ?? plan.file
        let clock = InkedText(time.clock, .faint)
        let title = InkedText(plan, .heading).cut(to: max(1, width - clock.columns - 2))
        var lines = [
            title.padded(to: width - clock.columns) + clock,
            .bar(counts.provisioned, of: counts.rows, width: width), facts(width),
        ]
        let isSpacious = height >= Self.spaciousHeight
        if isSpacious { lines.append(InkedText("")) }
        guard stations.contains(where: { $0.activity.name != nil || $0.activity.refused > 0 }) else { return lines }
        lines.append(StationLine.header(names))
        let room = height - lines.count
        let readers = stations.reduce(0) { $0 + $1.activity.refusals.count }
        if stations.count + readers <= room {
            for station in stations {
                lines.append(StationLine.line(station, names, at: time))
                lines += station.activity.refusals.map { StationLine.line($0) }
            }
            return lines
        }
        // If there is not enough room for all stations, those that need attention come first.
        let sorted =
            stations.count <= room ? stations : stations.filter(\.isTroubled) + stations.filter { !$0.isTroubled }
        let shown = stations.count <= room ? room : max(0, room - 1)
        lines += sorted.prefix(shown).map { StationLine.line($0, names, at: time) }
        if sorted.count > shown { lines.append(InkedText("… and \(sorted.count - shown) more stations", .faint)) }
        return lines
    }

    /// The minimum height, in lines, at which blank lines separate the parts.
    private static let spaciousHeight = 15

    private func facts(_ width: Int) -> InkedText {
        var facts: [InkedText] = []
        if counts.isComplete {
            facts.append(InkedText("✔ All rows are provisioned.", .good, .strong))
        } else {
            facts.append(InkedText("\(counts.left) left"))
            if let rate { facts.append(InkedText(rate)) }
            if let timeLeft { facts.append(InkedText(timeLeft)) }
        }
        if refused > 0 { facts.append(InkedText("\(refused) refused", .warning)) }
        let interrupted = stations.reduce(0) { $0 + $1.activity.interrupted }
        if interrupted > 0 { facts.append(InkedText("\(interrupted) to place again", .warning)) }
        if counts.failed > 0 { facts.append(InkedText("\(counts.failed) failed", .bad)) }
        return facts.dropFirst().reduce(facts[0]) { $0 + InkedText("   ") + $1 }
    }

    /// The width of the column with the stations' names, in characters.
    private var names: Int { min(24, max(7, stations.map { InkedText($0.label).columns }.max() ?? 0)) }
}

/// A line in the table of stations.
///
/// With a name of 24 columns, the line takes 71 columns and those of the state.
private enum StationLine {
    /// The columns of numbers with their widths, which contain the space before each column.
    private static let columns = [("rows", 10), ("a minute", 10), ("refused", 10), ("to place again", 15)]

    static func header(_ names: Int) -> InkedText {
        columns.reduce(InkedText("station", .faint).padded(to: names)) { $0 + right(InkedText($1.0, .faint), $1.1) }
    }

    static func line(_ station: StationOverview, _ names: Int, at now: Date) -> InkedText {
        let activity = station.activity
        let name = InkedText(station.label, .strong).cut(to: names).padded(to: names)
        let rate = station.perMinute.map(ProvisionFigure.rate) ?? "–"
        let numbers = [
            InkedText("\(activity.provisioned)"), InkedText(rate),
            activity.refused > 0 ? InkedText("\(activity.refused)", .warning) : InkedText("0", .faint),
            activity.interrupted > 0 ? InkedText("\(activity.interrupted)", .warning) : InkedText("0", .faint),
        ]
        let text = station.state(at: now)
        let state: InkedText =
            switch station.condition {
            case .working: InkedText(text, .good)
            case .silent: InkedText(text, .warning)
            case .lost: InkedText(text, .bad)
            case .ended: InkedText(text, .faint)
            }
        return zip(numbers, columns).reduce(name) { $0 + right($1.0, $1.1.1) } + InkedText("  ") + state
    }

    static func line(_ reader: ReaderRefusals) -> InkedText {
        InkedText("  \(reader.reader.cutInTheMiddle(to: 40))  ", .faint)
            + InkedText("\(reader.count) refused", .warning)
            + InkedText(", last at \(reader.last.clock.prefix(5))", .faint)
    }

    private static func right(_ text: InkedText, _ width: Int) -> InkedText {
        InkedText(String(repeating: " ", count: max(1, width - text.columns))) + text
    }
}
