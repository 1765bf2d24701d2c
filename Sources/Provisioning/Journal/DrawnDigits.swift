// Random digits of a plan that changed before any tag had a row: rows that stayed the same keep theirs

/// The random digits that rows of a journal have, found again by the rest of the row.
///
/// Only the places of rows are held in memory: about 100 bytes each.
struct DrawnDigits {
    private let journal: any ProvisionJournal
    private var places: [Int: [Int]] = [:]
    /// How many rows have digits and are not found again, or not with all of them.
    private(set) var lost = 0
    /// How many rows keep theirs.
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

    /// A row of the new plan, with the digits of an equal one of the old plan; each of those serves once.
    mutating func row(_ new: PlanRow) throws -> PlanRow {
        guard !places.isEmpty else { return new }
        let fields = new.withoutTokens.fields
        guard let number = places[fields.hashValue]?.first, let old = try journal.row(number)?.row,
            old.withoutTokens.fields == fields
        else { return new }
        places[fields.hashValue]?.removeFirst()
        let names = Set(new.fields.map(\.name))
        if old.fields.allSatisfy({ names.contains($0.name) }) { (kept, lost) = (kept + 1, lost - 1) }
        return PlanRow(
            number: new.number, line: new.line,
            fields: new.fields.map { field in
                guard RowToken.isColumn(field.name), let digits = old[field.name] else { return field }
                return PlanField(name: field.name, value: digits)
            })
    }
}
