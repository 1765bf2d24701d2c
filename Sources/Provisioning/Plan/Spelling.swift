// What somebody meant who misspelt a name

/// A name as somebody wrote it.
struct Spelling {
    private let name: [UInt8]
    private let lowercase: [UInt8]
    /// Longer names are columns of somebody's own, not slips.
    private static let longest = 64

    init(_ name: String) {
        self.name = Array(name.utf8)
        lowercase = Array(name.lowercased().utf8)
    }

    /// The name that differs least; nil when none is near: more than one letter in three differs.
    func nearest(in names: [String]) -> String? {
        let near = names.map { (name: $0, distance: distance(to: $0)) }.min { $0.distance < $1.distance }
        return near.flatMap { $0.distance <= max(1, name.count / 3) ? $0.name : nil }
    }

    /// Whether another name differs in case only, or by one letter.
    func isSlip(of other: String) -> Bool { name != Array(other.utf8) && distance(to: other) <= 1 }

    /// The letters to add, drop or change, without regard to case (Levenshtein).
    private func distance(to other: String) -> Int {
        let other = Array(other.lowercased().utf8)
        guard name.count <= Self.longest, other.count <= Self.longest else { return .max }
        var row = Array(0...other.count)
        for (index, letter) in lowercase.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, otherLetter) in other.enumerated() {
                let changed = diagonal + (letter == otherLetter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
