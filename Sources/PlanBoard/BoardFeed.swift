// What browsers are told, as it happens — HTML Living Standard, 9.2 Server-sent events

import Foundation
import Provisioning
import Synchronization
import Terminal

/// Passes on what is seen of a plan; a browser that reads slowly gets the newest.
final class BoardFeed: Sendable {
    private struct State {
        var latest: String?
        var changes = SightChange()
        var quietLooks = 0
        var readers: [Int: AsyncStream<String>.Continuation] = [:]
        var lastNumber = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// Each is a connection that stays open.
    static let mostReaders = 200
    /// So many looks without a change, and all are told the time: who is silent is so for longer, and lost browsers are noticed.
    static let longestQuiet = 5

    /// Takes what is seen at a look.
    func publish(_ sight: PlanWatch.Sight) throws {
        let text = try JSONLine.string(BoardState(sight))
        state.withLock { state in
            state.latest = text
            state.quietLooks += 1
            guard state.changes.isNew(sight) || state.quietLooks >= Self.longestQuiet else { return }
            state.quietLooks = 0
            for reader in state.readers.values { reader.yield(text) }
        }
    }

    /// What was seen the last time, as JSON; nil before the first look.
    var latest: String? { state.withLock { $0.latest } }

    var readerCount: Int { state.withLock { $0.readers.count } }

    /// The sights from now on, as JSON, beginning with the last one; nil where there are too many readers.
    func subscribe() -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.readers.count < Self.mostReaders, !state.isOver else { return nil }
            state.lastNumber += 1
            state.readers[state.lastNumber] = continuation
            if let latest = state.latest { continuation.yield(latest) }
            return state.lastNumber
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Ends all streams.
    func end() {
        let readers = state.withLock { state in
            state.isOver = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}

/// Whether something else is seen than the last time, rates included.
private struct SightChange {
    private var facts: PlanOverview.Facts?
    private var rates: [Int] = []
    private var isAway = false

    mutating func isNew(_ sight: PlanWatch.Sight) -> Bool {
        switch sight {
        case .away:
            defer { isAway = true }
            return !isAway
        case .overview(let overview):
            let now = ([overview.perMinute] + overview.stations.map(\.perMinute)).map { Int(($0 ?? -1) * 10) }
            defer { (facts, rates, isAway) = (overview.facts, now, false) }
            return isAway || facts != overview.facts || rates != now
        }
    }
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
