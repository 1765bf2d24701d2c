// The events sent to browsers — HTML Living Standard, 9.2 Server-sent events

import Foundation
import Provisioning
import Synchronization
import Terminal

/// Stores the newest state of a plan.
///
/// A browser that reads slowly may miss states, but gets the newest one.
final class BoardFeed: Sendable {
    /// An event to send to streams.
    struct Event: Sendable {
        /// The number of the event.
        ///
        /// Each event has a greater number than the one before it.
        var number = 0
        var text = ""
    }

    private struct State {
        var event: Event?
        var changes = SightChanges(countsRates: true)
        var quietLooks = 0
    }

    private let state = Mutex(State())

    /// The number of readings without a change after which browsers get the state again, with the current time.
    ///
    /// Browsers can then show how long a station has been silent, and the board notices browsers that have
    /// disconnected.
    static let longestQuiet = 5

    /// Stores a new reading of the plan, as an event for the browsers.
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

    /// The last event, or nil before the first reading.
    var latest: Event? { state.withLock { $0.event } }
}

/// The data for the page: the state of the plan, and the rows provisioned in the last hour.
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
