// A plan in the database is replaced while a station is away, or while a person views the plan

import Composing
import Foundation
import PostgreSQLServer
import Synchronization
import Testing

@testable import PostgreSQLJournal
@testable import Provisioning

@Suite struct ReplacedPlanTests {
    private let place: JournalPlace

    init() throws { place = try JournalPlace(.server) }

    private static let other = PlanIdentity(
        file: "plan.csv", sha256: "CD34", recipe: ["--uri https://other.example/{id}"])

    private func station(_ name: String) throws -> PostgreSQLJournal {
        try #require(try place.store(station: name).open() as? PostgreSQLJournal)
    }

    /// Ends the session of a station, and makes its last contact more than a minute old.
    private func lose(_ station: PostgreSQLJournal) throws {
        try place.endSession(ofStation: station.station ?? "")
        #expect(throws: JournalError.self) { try station.row(1) }
        guard case .away = station.reach else {
            Issue.record("\(station.reach)")
            return
        }
        try place.sql(
            "UPDATE nfctool.station SET seen = seen - interval '2 min' WHERE name = '\(station.station ?? "")'")
    }

    private func replace(_ journal: PostgreSQLJournal, with plan: PlanIdentity = other) throws -> PostgreSQLJournal {
        let new = try journal.replaced { insert in
            for number in 1...5 { try insert(JournalPlace.row(number)) }
            return plan
        }
        return try #require(new as? PostgreSQLJournal)
    }

    /// The station must not write the new rows with the options of the old plan, or lock their tags.
    @Test func aStationThatWasAwayDoesNotWorkOnTheNewPlan() throws {
        let first = try #require(try place.begin(rows: 3) as? PostgreSQLJournal)
        try lose(first)
        let second = try replace(station("desk-2"))
        let error = #expect(throws: JournalError.self) { try first.reachAgain() }
        #expect(error == .planReplaced(journal: first.name))
        #expect(error?.description.contains("replaced") == true)
        // The station left no trace in the new plan, and when it starts again, it gets the new plan.
        #expect(try place.sql("SELECT string_agg(name, ',') FROM nfctool.station") == "desk-2")
        let again = try station("desk-1")
        #expect(again.plan.recipe == Self.other.recipe)
        #expect(try again.claimRow(except: []) != nil)
        withExtendedLifetime(second) {}
    }

    /// The station was waiting for an answer from its user, and had no contact for two minutes.
    @Test func aStationThatIsConnectedAllTheWhileDoesNotWorkOnTheNewPlan() throws {
        let first = try #require(try place.begin(rows: 3) as? PostgreSQLJournal)
        try place.sql("UPDATE nfctool.station SET seen = now() - interval '2 min'")
        let second = try replace(station("desk-2"))
        #expect(throws: JournalError.planReplaced(journal: first.server.address.name)) {
            try first.claimRow(except: [])
        }
        withExtendedLifetime(second) {}
    }

    @Test func aStationComesBackToAPlanThatGrewMeanwhile() throws {
        let first = try #require(try place.begin(rows: 3) as? PostgreSQLJournal)
        try lose(first)
        let second = try station("desk-2").extended(after: 3) { insert in
            try insert(JournalPlace.row(4))
            return PlanIdentity(file: "plan.csv", sha256: "EE", recipe: JournalPlace.plan.recipe)
        }
        #expect(try first.reachAgain() != nil)
        #expect(try first.claimRow(except: []) != nil)
        withExtendedLifetime(second) {}
    }

    @Test(arguments: JournalKind.allCases) func aLongWatchSeesThePlanThatTookThePlace(_ kind: JournalKind) async throws
    {
        let place = try JournalPlace(kind)
        let journal = Mutex<(any ProvisionJournal)?>(try place.begin(rows: 3))
        let reading: any ProvisionJournal =
            switch kind {
            case .embedded: try EmbeddedJournal.openForReading(place.file)
            case .server: try place.server.open(plan: "plan.csv")
            }
        let looks = Mutex(0)
        let seen = Mutex<[PlanOverview]>([])
        let watch = PlanWatch(reading) {
            guard
                looks.withLock({
                    $0 += 1; return $0
                }) == 2
            else { return }
            try journal.withLock { old in
                let new = try old?.replaced { insert in
                    for number in 1...5 { try insert(JournalPlace.row(number)) }
                    return Self.other
                }
                old = nil
                old = new
            }
        }
        try await watch.run { sight in
            seen.withLock { seen in
                if case .overview(let overview) = sight { seen.append(overview) }
                return seen.count < 4
            }
        }
        let overviews = seen.withLock { $0 }
        #expect(overviews.map(\.counts.rows) == [3, 3, 5, 5])
        #expect(overviews.map(\.plan.sha256) == ["AB12", "AB12", "CD34", "CD34"])
        #expect(overviews[0].begun < overviews[3].begun)
    }

    @Test func aWatchOfAJournalThatWasDeletedEnds() async throws {
        let place = try JournalPlace()
        _ = try place.create(rows: 1)
        let reading = try EmbeddedJournal.openForReading(place.file)
        let watch = PlanWatch(reading) { try FileManager.default.removeItem(at: place.file) }
        await #expect(throws: JournalError.missing(path: reading.name)) { try await watch.run { _ in true } }
    }

    @Test func aStationAtWorkKeepsItsPlanAndThatIsSaid() throws {
        let folder = place.folder
        let file = folder.appending(path: "plan.csv")
        let store = try place.store(station: "desk-2")
        try "id\n1\n2\n".write(to: file, atomically: true, encoding: .utf8)
        let recipe = try RowRecipe(
            options: [RecordOption(name: .uri, value: "https://example.com/{id}")], settings: RowSettings())
        let first = try CheckedPlan(path: file.path, recipe: recipe).journal(in: place.store())
        try "id\n1\n3\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(throws: JournalError.planInUse(journal: store.name)) {
            try CheckedPlan(path: file.path, recipe: recipe).journal(in: store)
        }
        withExtendedLifetime(first) {}
    }
}
