// A plan that is viewed while others work on it, in a file and in a database

import Foundation
import PostgreSQLJournal
import PostgreSQLServer
import Synchronization
import Testing

@testable import Provisioning

@Suite struct PlanWatchTests {
    /// Performs one step before each update, and returns the state after each step.
    private static func watch(
        _ journal: any ProvisionJournal, _ steps: [@Sendable () throws -> Void]
    ) async throws -> [PlanWatch.Sight] {
        let done = Atomic<Int>(0)
        let seen = Mutex<[PlanWatch.Sight]>([])
        let watch = PlanWatch(journal) {
            let index = done.wrappingAdd(1, ordering: .relaxed).oldValue
            if index < steps.count { try steps[index]() }
        }
        try await watch.run { sight in
            seen.withLock {
                $0.append(sight)
                return $0.count <= steps.count
            }
        }
        return seen.withLock { $0 }
    }

    private static func overviews(_ sights: [PlanWatch.Sight]) -> [PlanOverview] {
        sights.compactMap { if case .overview(let overview) = $0 { overview } else { nil } }
    }

    @Test(arguments: JournalKind.allCases) func aChangeIsSeenAtTheNextLook(_ kind: JournalKind) async throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 3)
        let reading: any ProvisionJournal =
            switch kind {
            case .embedded: try EmbeddedJournal.openForReading(place.file)
            case .server: try place.server.open(plan: "plan.csv")
            }
        let steps: [@Sendable () throws -> Void] = [
            { try journal.bind(1, to: JournalPlace.tag(1)) },
            {
                try journal.advance(1, of: JournalPlace.uid(1), to: .written)
                try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
                try journal.advance(1, of: JournalPlace.uid(1), to: .sealed)
            },
            { try journal.refuse(JournalPlace.refused(7, quarantined: false)) },
            { try journal.refuse(JournalPlace.refused(8, quarantined: false)) },
        ]
        let seen = Self.overviews(try await Self.watch(reading, steps))
        #expect(seen.map(\.counts.pending) == [3, 2, 2, 2, 2])
        #expect(seen.map(\.counts.provisioned) == [0, 0, 1, 1, 1])
        #expect(seen.map(\.counts.locked) == [0, 0, 1, 1, 1])
        #expect(seen.map(\.refused) == [0, 0, 0, 1, 2])
        let station = try #require(seen.last?.stations.first)
        #expect(station.activity.name == (kind == .server ? "desk-1" : nil))
        // Whether the station is silent depends on the time. PlanTrendTests test this in simulated time.
        #expect(station.activity.provisioned == 1 && station.activity.presence == .connected)
        #expect(station.activity.refusals.map(\.reader) == ["pn532_uart:/dev/ttyUSB0"])
        #expect(seen[1].counts.interrupted == 1 && seen[1].stations.first?.activity.interrupted == 0)
        #expect(seen.last?.lastHour.reduce(0, +) == 1)
    }

    @Test func aDatabaseThatIsAwayIsSaidAndComesBack() async throws {
        // This needs a separate server, because the server of the other tests must not be stopped.
        let server = try PostgreSQLServer()
        let database = try server.newDatabase()
        let plans = PlanServer(try ServerAddress(server.uri(database)))
        try plans.prepare()
        let station = try plans.store(plan: "plan.csv", station: "desk").create { insert in
            try insert(JournalPlace.row(1))
            return JournalPlace.plan
        }
        let steps: [@Sendable () throws -> Void] = [
            { try server.stopAtOnce() }, {}, { try server.start() },
            { Thread.sleep(forTimeInterval: 0.3) },
        ]
        let seen = try await Self.watch(try plans.open(plan: "plan.csv"), steps)
        guard case .overview = seen[0], case .away(let reason, let since) = seen[1], case .away(_, let again) = seen[2],
            case .overview(let back) = try #require(seen.last)
        else {
            Issue.record("\(seen)")
            return
        }
        #expect(!reason.isEmpty && since == again && back.counts.rows == 1)
        // The session of the station ended with the server, so the station did not leave the plan normally.
        #expect(back.stations.first?.word == "lost")
        withExtendedLifetime(station) {}
    }
}
