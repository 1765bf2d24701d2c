// Access to a sector with key B — NXP MF1S50yyX and MF1S70yyX, Memory Access: Access Conditions
import ReaderInterface

extension ClassicMemory {
    /// Opens a sector with key A, or with key B if key A is not known.
    ///
    /// Tries the usual keys first. Keys B are tried only after all keys A were refused, so a card whose keys A are
    /// known needs no extra attempts.
    ///
    /// - Returns: the key that opened the sector, or `nil` if no known key gives access.
    func openWithAnyKey(_ sector: Int, _ usual: [ClassicKey]) throws(TagError) -> ClassicKey? {
        let known = usual + further(sector)
        if let key = try open(sector, trying: known.of(.a)) { return key }
        guard !inert.contains(sector), let key = try open(sector, trying: known.of(.b)) else { return nil }
        guard try opensNothing(key, in: sector) else { return key }
        inert.insert(sector)
        proven[sector] = nil
        try activateAgain()
        return nil
    }

    /// Opens a block's sector with key B if the sector's access bits let key B read the block.
    ///
    /// Returns `false` if they do not, or if key B is not known.
    ///
    /// Whenever key B can be used for authentication, it can read every block that key A can read. Switching back to
    /// key A is therefore never necessary.
    func openWithReader(of block: Int) throws(TagError) -> Bool {
        let sector = layout.sector(of: block)
        let access = try trailer(of: sector).access
        guard access.keys(.read, .data(layout.accessGroup(of: block))).contains(.b) else { return false }
        return try open(sector, trying: further(sector).of(.b)) != nil
    }

    /// Whether a key is accepted but gives no access.
    ///
    /// This applies to a key B that can be read as data, and to any key of a blocked sector. Such a sector refuses
    /// every command after the authentication, so its access bits cannot be read to determine the reason. A missing
    /// answer to READ counts only if the key is accepted both before and after it.
    func opensNothing(_ key: ClassicKey, in sector: Int) throws(TagError) -> Bool {
        let block = layout.trailer(of: sector)
        guard cached(block) == nil else { return false }
        var persistence = Persistence(patience, refusals: 1)
        var refusals = 0
        var isAccepted = true
        while refusals < Self.refusals {
            _ = try open(sector, trying: [key])
            do throws(TagError) {
                _ = try read(block)
                return false
            } catch .reader(.noAnswer) {
                let wasAccepted = isAccepted
                isAccepted = try isAnswered { () throws(TagError) in try authenticate(sector, key) }
                if wasAccepted, isAccepted { refusals += 1 }
            } catch .protocolViolation {
                // A broken answer is not a refusal. The next READ will report the problem.
                return false
            }
            guard !isAccepted else { continue }
            persistence.failed()
            guard persistence.goesOn() else {
                throw .noReliableAnswer(command: "READ", offset: block * ClassicLayout.blockSize)
            }
        }
        return true
    }
}
