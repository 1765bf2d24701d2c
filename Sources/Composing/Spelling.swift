// The name that a misspelt word was probably meant to be — optimal string alignment distance

package struct Spelling {
    private let name: [UInt8]
    private let lowercase: [UInt8]
    /// The maximum length for a comparison.
    ///
    /// A longer name is one that a user made up, not a misspelt known name.
    private static let longest = 64

    package init(_ name: String) {
        self.name = Array(name.utf8)
        lowercase = Array(name.lowercased().utf8)
    }

    /// Returns the name with the fewest differences.
    ///
    /// Nil if even that name has more than one difference per three letters.
    package func nearest(in names: [String]) -> String? {
        let near = names.map { (name: $0, slips: slips(to: $0)) }.min { $0.slips < $1.slips }
        return near.flatMap { $0.slips <= max(1, name.count / 3) ? $0.name : nil }
    }

    /// The number of missing, additional, wrong or transposed letters, ignoring case.
    private func slips(to other: String) -> Int {
        let other = Array(other.lowercased().utf8)
        guard name.count <= Self.longest, other.count <= Self.longest else { return .max }
        var rows = [Array(0...other.count)]
        for (i, letter) in lowercase.enumerated() {
            var row = [i + 1]
            for (j, wanted) in other.enumerated() {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == wanted ? 0 : 1))
                if i > 0, j > 0, lowercase[i - 1] == wanted, letter == other[j - 1] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[lowercase.count][other.count]
    }
}
