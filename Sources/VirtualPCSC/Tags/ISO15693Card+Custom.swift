// The parts of commands that depend on the manufacturer — ISO/IEC 15693-3, 10.5

extension ISO15693Card {
    /// The IC manufacturer codes — ISO/IEC 7816-6.
    enum Manufacturer {
        static let st: UInt8 = 0x02
        static let nxp: UInt8 = 0x04
    }

    mutating func executeCustom(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8]? {
        switch (chip.family, request.manufacturer) {
        case (.slix, Manufacturer.nxp), (.slixL, Manufacturer.nxp), (.slix2, Manufacturer.nxp):
            return try executeNXP(request)
        case (.st25DV, Manufacturer.st): return try executeST25DV(request)
        default: throw .notSupported
        }
    }

    func contents(of block: Int) -> [UInt8] { memory[block] }

    /// Throws an error if the block cannot be read now.
    func checkReading(of block: Int) throws(ISO15693Error) {
        switch chip.family {
        case .slix2: if needsPassword(block, isWrite: false) { throw .unknown }
        case .st25DV: if !isOpen(block, isWrite: false) { throw .protected }
        case .none, .slix, .slixL: break
        }
    }

    /// Throws an error if the block cannot be written now.
    ///
    /// The caller has already checked the block's lock.
    func checkWriting(to block: Int) throws(ISO15693Error) {
        switch chip.family {
        case .slix2: if needsPassword(block, isWrite: true) { throw .unknown }
        case .st25DV: if !isOpen(block, isWrite: true) { throw .locked }
        case .none, .slix, .slixL: break
        }
    }

    func checkLocking(of block: Int) throws(ISO15693Error) { try checkWriting(to: block) }

    /// Throws an error if the AFI cannot be changed now.
    ///
    /// The caller has already checked the lock of the AFI.
    func checkAFI() throws(ISO15693Error) {
        if memory.custom.needsAFIPassword, !volatile.given.contains(ICODEPassword.easAFI) { throw .unknown }
    }

    /// Writes to a special block, such as the counter.
    ///
    /// Returns false if the block is ordinary memory.
    mutating func writesSpecially(_ data: [UInt8], to block: Int) throws(ISO15693Error) -> Bool {
        guard block == chip.counterBlock else { return false }
        try writeCounter(data)
        return true
    }
}
