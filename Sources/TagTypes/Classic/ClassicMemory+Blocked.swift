// Sectors that are blocked because their access bits are invalid — NXP MF1S50yyX, Memory Access: Access Conditions

extension ClassicMemory {
    /// The number of unanswered READs of a trailer after which a blocked sector is more likely than a weak connection.
    static let blockedSuspicion = 3

    /// Throws an error if a sector accepts its key A but refuses a READ of its trailer.
    ///
    /// With any valid access bits, key A can read the trailer. Key B cannot be used for this test, because a key B that
    /// can be read as data gives no access even in an intact sector.
    ///
    /// - Throws: ``TagError/sectorBlocked(sector:)``.
    func findWhetherBlocked(_ sector: Int) throws(TagError) {
        guard let key = proven[sector]?.last, key.kind == .a, try opensNothing(key, in: sector) else { return }
        blocked.insert(sector)
        throw .sectorBlocked(sector: sector)
    }

    func requireUnblocked(_ sector: Int) throws(TagError) {
        if blocked.contains(sector) { throw .sectorBlocked(sector: sector) }
    }
}
