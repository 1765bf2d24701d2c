// What browsers are told, as it happens — HTML Living Standard, 9.2 Server-sent events

import Foundation
import Provisioning
import Synchronization
import Terminal

/// Keeps what was seen of a plan last; a browser that reads slowly gets the newest.
final class BoardFeed: Sendable {
    /// What streams are told.
    struct Event: Sendable {
        /// Grows with each event.
        var number = 0
        /// What was seen the last time, as JSON on one line.
        var text = ""
    }

    private struct State {
        var event: Event?
        var changes = SightChanges(countsRates: true)
        var quietLooks = 0
    }

    private let state = Mutex(State())

    /// After this many looks without a change browsers are told the time: a silent station is silent for longer, and a lost
    /// browser is noticed.
    static let longestQuiet = 5

    /// Takes what is seen at a look.
    func publish(_ sight: PlanWatch.Sight) throws {
        let text = try JSONLine.string(BoardState(sight))
        state.withLock { state in
            var event = state.event ?? Event()
            event.text = text
            state.quietLooks += 1
            if state.changes.isNew(sight) || state.quietLooks >= Self.longestQuiet {
                state.quietLooks = 0
                event.number += 1
            }
            state.event = event
        }
    }

    /// The last sight; nil before the first look.
    var latest: Event? { state.withLock { $0.event } }
}

/// What the page gets: a sight, and the last hour.
private struct BoardState: Encodable {
    private enum Key: CodingKey { case lastHour }

    let sight: PlanWatch.Sight

    init(_ sight: PlanWatch.Sight) { self.sight = sight }

    func encode(to encoder: any Encoder) throws {
        try sight.encode(to: encoder)
        guard case .overview(let overview) = sight else { return }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(overview.lastHour, forKey: .lastHour)
    }
}
