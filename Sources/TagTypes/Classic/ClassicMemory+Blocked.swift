// Sectors that invalid access bits block — NXP MF1S50yyX, Memory Access: Access Conditions

extension ClassicMemory {
    /// The number of missing answers to READ of a trailer after which the sector may be blocked, not the link weak.
    static let blockedSuspicion = 3

    /// Throws if a sector accepts its key A but refuses READ of its trailer.
    ///
    /// All valid access bits let key A read them. A key B that can be read as data opens nothing either, so key B
    /// proves nothing.
    ///
    /// - Throws: ``TagError/sectorBlocked(sector:)``.
    func findWhetherBlocked(_ sector: Int) throws(TagError) {
        guard let key = proven[sector]?.last, key.kind == .a, try opensNothing(key, in: sector) else { return }
        blocked.insert(sector)
        throw .sectorBlocked(sector: sector)
    }

    /// Throws if a sector is known to be blocked.
    func requireUnblocked(_ sector: Int) throws(TagError) {
        if blocked.contains(sector) { throw .sectorBlocked(sector: sector) }
    }
}
