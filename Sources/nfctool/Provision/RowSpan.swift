// Rows and ranges of rows on a command line

import ArgumentParser

/// A row or a range of rows as an argument: `12` or `12-15`.
struct RowSpan: ExpressibleByArgument {
    /// The maximum number of rows in a range.
    ///
    /// It is limited because the command changes the rows one by one.
    private static let longest = 1_000_000

    let rows: ClosedRange<Int>

    init?(argument: String) {
        let ends = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 1, first <= last,
            last - first < Self.longest
        else { return nil }
        rows = first...last
    }
}

extension [RowSpan] {
    /// The row numbers in the order in which the user gave them, without duplicates.
    var numbers: [Int] {
        var seen: Set<Int> = []
        return flatMap(\.rows).filter { seen.insert($0).inserted }
    }
}
