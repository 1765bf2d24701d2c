// Which keys are tried for a sector, and in which order

extension ClassicMemory {
    /// The keys to try for a sector: the public one of its kind first, then what opened it or another sector before, then
    /// what was offered for it, then all others.
    func knownKeys(_ sector: Int) -> [ClassicKey] {
        let usual: [ClassicKey] =
            layout.directorySectors.contains(sector)
            ? [.directory, .factory, .factoryB] : [.ndef, .factory, .directory, .factoryB]
        var seen = Set(usual)
        return usual + further(sector).filter { seen.insert($0).inserted }
    }

    /// The same of one kind.
    func knownKeys(_ sector: Int, _ kind: ClassicKeyKind) -> [ClassicKey] {
        knownKeys(sector).filter { $0.kind == kind }
    }

    /// The keys to try for a sector besides the usual ones; one may come twice.
    func further(_ sector: Int) -> [ClassicKey] {
        let offered = offered[sector] ?? []
        guard let ring else { return offered }
        let opened = ring.opened(sector, of: uid)
        // A key is often used for several sectors, and as the other key, too.
        let turned = opened.map { ClassicKey(kind: $0.kind == .a ? .b : .a, bytes: $0.bytes) }
        let all = ring.all
        return opened + offered + turned
            + [ClassicKeyKind.a, .b].flatMap { kind in all.map { ClassicKey(kind: kind, bytes: $0) } }
    }

    /// What the published application notes say opens a sector.
    func publicKey(of sector: Int) -> ClassicKey { layout.directorySectors.contains(sector) ? .directory : .ndef }
}
