// The figures that an HTML report shows for the whole plan

import Foundation

/// Figures that are gathered in one pass over a record.
///
/// Their memory use does not depend on the number of rows.
struct ReportSummary {
    /// The maximum number of causes that are counted separately.
    ///
    /// All further causes are counted together.
    private static let causeLimit = 40

    private(set) var counts = ProvisionCounts(states: [:], waitingForSeal: 0, locked: 0)
    let rule: SealRule
    let hasStations: Bool
    private(set) var refusedTags = 0
    /// The number of refused tags that had been verified with a row before.
    private(set) var changedTags = 0
    /// The numbers of the first rows whose verified tags were later found changed, at most ``changedRowLimit``.
    private(set) var changedRows: [Int] = []
    private(set) var tagsWithRow = 0
    private(set) var signatures: [String: Int] = [:]
    private(set) var pace = Pace()
    private(set) var durations = DurationTally()
    private(set) var failures: [Cause: Failure] = [:]
    private(set) var lastChange: Date?
    /// The plan's columns, taken from the first row.
    private(set) var columns = HTMLPlanColumns()

    /// A reason why tags were not provisioned.
    enum Cause: Hashable {
        case refused(StoredCause)
        case rowFailed
        /// All causes beyond the first ``causeLimit``.
        case others

        /// The word that determines the order of causes with the same number of tags.
        fileprivate var word: String {
            switch self {
            case .refused(let cause): cause.word
            case .rowFailed: "rowFailed"
            case .others: "other"
            }
        }
    }

    /// The tags that were not provisioned because of one cause.
    struct Failure {
        var tags = 0
        /// The reason recorded for the latest of these tags.
        var reason: String
    }

    init(of record: any ProvisioningRecord) throws {
        rule = SealRule(of: record.plan)
        hasStations = record.hasStations
        counts = try ProvisionCounts(of: record)
        var isFirst = true
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            if isFirst {
                isFirst = false
                columns = HTMLPlanColumns(ofFirst: row.row, in: record)
            }
            add(row, isChanged: rule.isChanged(row))
        }
        try record.forEachRefusedTag { tag in
            refusedTags += 1
            add(failure: .refused(tag.cause), reason: tag.reason)
        }
    }

    var rows: Int { counts.rows }
    /// The number of different tags that were presented.
    var tags: Int { tagsWithRow + refusedTags - changedTags }

    /// The causes, sorted by the number of tags.
    var causes: [(cause: Cause, failure: Failure)] {
        failures.sorted { ($0.value.tags, $1.key.word) > ($1.value.tags, $0.key.word) }
            .map { (cause: $0.key, failure: $0.value) }
    }

    /// The maximum number of rows with changed tags that are listed.
    ///
    /// Further rows are only counted.
    private static let changedRowLimit = 20

    private mutating func add(_ row: JournalRow, isChanged: Bool) {
        if isChanged {
            refusedTags += 1
            changedTags += 1
            if changedRows.count < Self.changedRowLimit { changedRows.append(row.row.number) }
            add(failure: .refused(.known(PasswordRemark.cause(in: row.reason))), reason: row.reason ?? "")
        }
        if row.tag != nil { tagsWithRow += 1 }
        if let changed = row.changed, changed > lastChange ?? .distantPast { lastChange = changed }
        switch row.state {
        case .pending, .bound, .written: break
        case .failed: add(failure: .rowFailed, reason: row.reason ?? "")
        case .proven, .sealed:
            if let signature = row.proof?.signature { signatures[signature, default: 0] += 1 }
            if let seconds = row.proof?.seconds { durations.add(seconds) }
            if let changed = row.changed { pace.add(changed) }
        }
    }

    private mutating func add(failure cause: Cause, reason: String) {
        let known = failures[cause] != nil || failures.count < Self.causeLimit
        var failure = failures[known ? cause : .others] ?? Failure(reason: reason)
        failure.tags += 1
        failure.reason = reason
        failures[known ? cause : .others] = failure
    }
}

/// Counts how often each duration occurs, in steps of a hundredth of a second.
struct DurationTally {
    private static let longest = 3600.0
    private var counts: [Int: Int] = [:]
    private var total = 0

    mutating func add(_ seconds: Double) {
        guard seconds >= 0 else { return }
        counts[Int((min(seconds, Self.longest) * 100).rounded()), default: 0] += 1
        total += 1
    }

    /// The median in seconds, or nil if there are no durations.
    var median: Double? {
        guard total > 0 else { return nil }
        let sorted = counts.sorted { $0.key < $1.key }
        func value(at rank: Int) -> Double {
            var below = 0
            for (hundredths, count) in sorted {
                below += count
                if rank < below { return Double(hundredths) / 100 }
            }
            return Self.longest
        }
        return (value(at: (total - 1) / 2) + value(at: total / 2)) / 2
    }
}
