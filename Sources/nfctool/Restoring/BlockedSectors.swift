// Sectors of a MIFARE Classic that are blocked by invalid access bits — NXP MF1S50yyX, Memory Access

import SafeTag

/// Sectors that accept a key but refuse all other commands.
struct BlockedSectors {
    private let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    /// A sentence that names the sectors.
    var words: String {
        let (verb, owner) = numbers.count == 1 ? ("is", "its") : ("are", "their")
        let list = BlockList(numbers, of: "Sector")
        return "\(list) \(verb) blocked permanently, because \(owner) access bits are invalid."
    }
}
