// Random digits for a plan that is changed before any tag has a row: unchanged rows keep their digits

/// Finds the random digits that a journal already stores for a row with the same other fields.
///
/// Only the row numbers are held in memory. They take about 100 bytes per row.
struct DrawnDigits {
    private let journal: any ProvisionJournal
    private var places: [Int: [Int]] = [:]
    /// The number of old rows whose digits are not all used in the new plan.
    private(set) var lost = 0
    private(set) var kept = 0

    init(of journal: any ProvisionJournal) throws {
        self.journal = journal
        var (places, count): ([Int: [Int]], Int) = ([:], 0)
        try journal.forEachRow(in: Set(RowState.allCases)) { row in
            let row = row.row
            guard row.fields.contains(where: { RowToken.isColumn($0.name) }) else { return }
            count += 1
            places[row.withoutTokens.fields.hashValue, default: []].append(row.number)
        }
        (self.places, lost) = (places, count)
    }

    /// Returns a row of the new plan with the digits of an equal row of the old plan.
    ///
    /// Each old row is used only once.
    mutating func row(_ new: PlanRow) throws -> PlanRow {
        guard !places.isEmpty else { return new }
        let fields = new.withoutTokens.fields
        guard let number = places[fields.hashValue]?.first, let old = try journal.row(number)?.row,
            old.withoutTokens.fields == fields
        else { return new }
        places[fields.hashValue]?.removeFirst()
        let names = Set(new.fields.map(\.name))
        if old.fields.allSatisfy({ names.contains($0.name) }) { (kept, lost) = (kept + 1, lost - 1) }
        return new.withDigits(of: old)
    }
}
