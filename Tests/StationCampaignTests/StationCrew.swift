// The stations of a plan, each in a process that is started again under its name until the plan is done

import Foundation

/// Stations at work, their output, and the reason why each of their processes ended.
actor StationCrew {
    /// The reason why a process ended, as far as it is known.
    enum Stop: String, Sendable {
        case done
        case killed
        /// The station was started while the database was away, or the database stayed away for too long.
        case databaseAway
        /// The last steps could not be stored at the end.
        case stepsKept
        /// The server still held the session of the previous process.
        case nameTaken
        /// No tag came for a while, and rows are left.
        case rowsLeft
        /// A reader could not be opened, because its virtual chip did not get the processor in time.
        case readerLost
    }

    /// The meaning of a line from a station.
    enum Said: Sendable {
        /// The station is connected and working.
        case begun
        /// The database is away, or back.
        case away, back
        /// The tag was verified to hold the row, and the journal has stored this.
        case proven(PlanAudit.Told)
        case nothing
    }

    private struct Station {
        var process: pid_t?
        var hasBegun = false
        var isAway = false
        var isKilled = false
        /// The number of times that the station connected.
        var connections = 0
        var ends = 0
        /// The number of times that the station ended by itself with rows left.
        var restarts = 0
    }

    /// The number of times that a station may end by itself before the campaign gives up.
    private static let mostRestarts = 100

    private let program: String
    private let niceness: Int
    private let startsAtOnce: Int
    private let folder: String
    private let arguments: [[String]]
    private let translate: @Sendable (_ line: String, _ station: Int) async -> Said
    private var stations: [Station]
    private var starting: Set<Int> = []
    private var waiting:
        [(condition: @Sendable (isolated StationCrew) -> Bool, then: CheckedContinuation<Void, Never>)] = []

    /// The rows that stations reported as verified.
    private(set) var told: Set<PlanAudit.Told> = []
    private(set) var stops: [Stop: Int] = [:]
    /// The number of times that a station reported the database as away.
    private(set) var absences = 0
    /// Unexplained stops, of which the first one ends the campaign.
    private(set) var unexplained: [String] = []

    /// Prepares a station for each list of arguments.
    ///
    /// At most `startsAtOnce` stations start at the same time, each with `niceness` (nice(1)). `translate` returns the
    /// meaning of a station's line.
    init(
        _ program: String, _ arguments: [[String]], niceness: Int = 0, startsAtOnce: Int = .max, in folder: String,
        translate: @escaping @Sendable (_ line: String, _ station: Int) async -> Said
    ) {
        (self.program, self.arguments, self.folder, self.translate) = (program, arguments, folder, translate)
        (self.niceness, self.startsAtOnce) = (niceness, startsAtOnce)
        stations = arguments.map { _ in Station() }
    }

    /// Lets the stations work until each has ended by itself, while faults occur.
    func work(_ trouble: @Sendable () async throws -> Void = {}) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in stations.indices { group.addTask { try await self.employ(index) } }
            do {
                try await trouble()
            } catch {
                giveUp("the trouble itself: \(error)")
            }
            try await group.waitForAll()
        }
    }

    private func employ(_ index: Int) async throws {
        while unexplained.isEmpty {
            while starting.count >= startsAtOnce { await wait { $0.starting.count < $0.startsAtOnce } }
            starting.insert(index)
            let before = stations[index]
            stations[index] = Station(
                connections: before.connections, ends: before.ends, restarts: before.restarts)
            let end = try await process(index)
            stations[index].process = nil
            starting.remove(index)
            stations[index].ends += 1
            let stop = self.stop(end, of: index)
            if let stop {
                stops[stop, default: 0] += 1
                if stop != .done, stop != .killed { stations[index].restarts += 1 }
                if stations[index].restarts > Self.mostRestarts {
                    giveUp("station \(index) never ends: \(end.lastWords)")
                }
            } else if unexplained.isEmpty {
                giveUp("station \(index) ended with \(end.status): \(end.lastWords)")
            }
            changed()
            if stop == .done { return }
            // While the server is away, a station ends immediately. Do not start it a hundred times a second.
            if stop != .killed { try await Task.sleep(for: .milliseconds(100)) }
        }
    }

    private func process(_ index: Int) async throws -> StationProcess.End {
        do {
            return try await StationProcess.run(
                program, arguments[index], niceness: niceness, in: folder, started: { await self.started($0, index) },
                hear: { await self.hear($0, from: index) })
        } catch {
            // Without this, a wait for this station would never end.
            giveUp("station \(index) was not heard: \(error)")
            throw error
        }
    }

    private func started(_ process: pid_t, _ index: Int) {
        stations[index].process = process
        if !unexplained.isEmpty { kill(process, SIGKILL) }
        changed()
    }

    private func stop(_ end: StationProcess.End, of index: Int) -> Stop? {
        switch end.status {
        case 0: return .done
        case 74 where end.lastWords.contains("readerIO"): return .readerLost
        case -SIGKILL where stations[index].isKilled: return .killed
        case 75:
            return Self.words.first { end.lastWords.contains($0.word) }?.stop
        default: return nil
        }
    }

    /// The words with which StationChild and nfctool give the reason for their end, if they may be started again.
    private static let words: [(word: String, stop: Stop)] = [
        ("stop away", .databaseAway), ("stop kept", .stepsKept), ("stop taken", .nameTaken),
        ("journalBusy", .nameTaken), ("journalAway", .databaseAway), (#""event":"summary""#, .rowsLeft),
    ]

    private func hear(_ line: String, from index: Int) async {
        switch await translate(line, index) {
        case .begun:
            (stations[index].hasBegun, stations[index].connections) = (true, stations[index].connections + 1)
            starting.remove(index)
        case .away: (stations[index].isAway, absences) = (true, absences + 1)
        case .back:
            (stations[index].isAway, stations[index].connections) = (false, stations[index].connections + 1)
        case .proven(let fact): told.insert(fact)
        case .nothing: return
        }
        changed()
    }

    private func giveUp(_ reason: String) {
        unexplained.append(reason)
        for case let process? in stations.map(\.process) { kill(process, SIGKILL) }
        changed()
    }

    // MARK: Faults

    /// Kills a station, and returns false if no station with this number is working.
    @discardableResult func killStation(_ index: Int) -> Bool {
        guard let process = stations[index].process, stations[index].hasBegun, !stations[index].isKilled else {
            return false
        }
        stations[index].isKilled = true
        kill(process, SIGKILL)
        return true
    }

    /// The number of times that each station connected.
    var connections: [Int] { stations.map(\.connections) }

    func waitForBegin(of index: Int) async { await wait { $0.stations[index].hasBegun } }

    /// Waits until the process of a station that was killed has ended.
    func waitForEnd(of index: Int) async {
        let ends = stations[index].ends
        guard stations[index].process != nil else { return }
        await wait { $0.stations[index].ends > ends }
    }

    /// Waits until `count` of these stations, or all of them, have connected again.
    func waitForConnections(after before: [Int], of indices: [Int]? = nil, atLeast count: Int? = nil) async {
        let indices = indices ?? Array(stations.indices)
        await wait { crew in
            indices.count { crew.stations[$0].connections > before[$0] } >= count ?? indices.count
        }
    }

    /// Waits until stations have reported this many rows as verified.
    func waitForProven(_ count: Int) async { await wait { $0.told.count >= count } }

    /// Waits until no station reports the database as away.
    func waitUntilNoneIsAway() async { await wait { !$0.stations.contains(where: \.isAway) } }

    private func wait(until condition: @escaping @Sendable (isolated StationCrew) -> Bool) async {
        if condition(self) || !unexplained.isEmpty { return }
        await withCheckedContinuation { waiting.append((condition, $0)) }
    }

    private func changed() {
        let isOver = !unexplained.isEmpty
        let ready = waiting.filter { isOver || $0.condition(self) }
        waiting.removeAll { isOver || $0.condition(self) }
        for one in ready { one.then.resume() }
    }
}
