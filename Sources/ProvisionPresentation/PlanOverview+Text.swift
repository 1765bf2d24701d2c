// The overview of a plan on one line — Docs/CommandLine.md, provision status

import Foundation
package import Provisioning
import Terminal

extension PlanWatch.Sight {
    /// The overview, or the reason why there is none, on one line.
    package var line: String {
        switch self {
        case .overview(let overview): overview.line
        case .away(let reason, let since): "\(since.clock)  database away: \(TerminalText.escaped(reason))"
        }
    }
}

extension PlanOverview {
    /// The overview, such as `10:41:07  412 of 1000 provisioned, 31 a minute, about 19 min left, 3 refused; desk-2
    /// silent since 10:31`.
    var line: String {
        var facts = ["\(counts.provisioned) of \(counts.rows) provisioned"]
        if let rate { facts.append(rate) }
        if let timeLeft { facts.append(timeLeft) }
        if refused > 0 { facts.append("\(refused) refused") }
        if counts.failed > 0 { facts.append("\(counts.failed) failed") }
        let troubled = stations.filter(\.isTroubled)
        let named = troubled.prefix(Self.namedStations).map { "\($0.label) \($0.state(at: time))" }
        let more = troubled.count - named.count
        let silent = (named + (more > 0 ? ["\(more) more stations"] : [])).joined(separator: ", ")
        return time.clock + "  " + facts.joined(separator: ", ") + (silent.isEmpty ? "" : "; " + silent)
    }

    private static let namedStations = 5

    /// The rate, such as `31 a minute`.
    var rate: String? { perMinute.map { "\(ProvisionFigure.rate($0)) a minute" } }

    /// The estimated time, such as `about 19 min left`.
    var timeLeft: String? { secondsLeft.map { ProvisionFigure.about(.seconds($0)) + " left" } }
}

extension ProvisionFigure {
    /// Returns a rate in rows per minute as text: `31`, or `4.2`.
    static func rate(_ rate: Double) -> String { fixed(rate, rate > 0 && rate < 9.95 ? 1 : 0) }
}

extension StationOverview {
    /// The name to show for the station.
    var label: String { activity.name.map { TerminalText.escaped($0) } ?? "this plan" }

    /// Returns the state of the station, such as `silent since 10:31`.
    ///
    /// The time includes the date if it is on another day.
    func state(at now: Date) -> String {
        guard let since else {
            switch condition {
            case .lost: return "lost, no longer responding"
            case .working, .silent, .ended: return word
            }
        }
        let days = now.timeIntervalSince(since) >= 72_000
        let time = days ? since.formatted(.iso8601.year().month().day()) : String(since.clock.prefix(5))
        switch condition {
        case .working: return word
        case .silent, .lost: return "\(word) since \(time)"
        case .ended: return "\(word) at \(time)"
        }
    }
}
