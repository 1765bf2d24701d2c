// The list of results on a board

import Foundation
import Provisioning

/// The most recent events that have a line, newest first.
struct RecentResults: Sendable {
    private struct Result: Sendable {
        let event: ProvisionEvent
        let time: Duration
    }

    /// The number of results to keep, as many as the tallest terminal shows.
    private static let kept = 200

    private var results: [Result] = []

    mutating func add(_ event: ProvisionEvent, at time: Duration) {
        results.insert(Result(event: event, time: time), at: 0)
        if results.count > Self.kept { results.removeLast() }
    }

    /// Returns at most `limit` results as lines.
    ///
    /// If `isWhole` is set, reasons are wrapped instead of cut.
    ///
    /// `began` is the time when the run began, to which the times of the events are added.
    func lines(_ line: ProvisionLine, since began: Date, limit: Int, isWhole: Bool) -> [String] {
        results.lazy.compactMap {
            line.text($0.event, at: began + $0.time / .seconds(1), isWhole: isWhole)
        }.prefix(limit).flatMap { $0.components(separatedBy: "\n") }
    }
}
