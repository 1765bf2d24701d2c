// The keys to try for a sector, and their order

extension ClassicMemory {
    /// Returns the keys to try for a sector, in order.
    ///
    /// The order is: the public keys that are usual for the sector, the keys that opened this or other sectors, the
    /// keys offered for it, and all other keys.
    func knownKeys(_ sector: Int) -> [ClassicKey] {
        let usual: [ClassicKey] =
            layout.directorySectors.contains(sector)
            ? [.directory, .factory, .factoryB] : [.ndef, .factory, .directory, .factoryB]
        var seen = Set(usual)
        return usual + further(sector).filter { seen.insert($0).inserted }
    }

    func knownKeys(_ sector: Int, _ kind: ClassicKeyKind) -> [ClassicKey] {
        knownKeys(sector).filter { $0.kind == kind }
    }

    /// Returns the keys to try for a sector in addition to the usual ones.
    ///
    /// A key may occur twice.
    func further(_ sector: Int) -> [ClassicKey] {
        let offered = offered[sector] ?? []
        guard let ring else { return offered }
        let opened = ring.opened(sector, of: uid)
        // A key is often used for several sectors, or as both key A and key B.
        let turned = opened.map { ClassicKey(kind: $0.kind == .a ? .b : .a, bytes: $0.bytes) }
        let all = ring.all
        return opened + offered + turned
            + [ClassicKeyKind.a, .b].flatMap { kind in all.map { ClassicKey(kind: kind, bytes: $0) } }
    }

    /// Returns the key that opens a sector according to the published application notes.
    func publicKey(of sector: Int) -> ClassicKey { layout.directorySectors.contains(sector) ? .directory : .ndef }
}
