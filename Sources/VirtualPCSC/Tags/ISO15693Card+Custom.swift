// Hooks for manufacturers' additions to the standard's commands — ISO/IEC 15693-3, 10.5

extension ISO15693Card {
    /// IC manufacturer codes — ISO/IEC 7816-6.
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

    /// Returns the content of a block for a read.
    func contents(of block: Int) -> [UInt8] { memory[block] }

    /// Throws if the block cannot be read at the moment.
    func checkReading(of block: Int) throws(ISO15693Error) {
        switch chip.family {
        case .slix2: if needsPassword(block, isWrite: false) { throw .unknown }
        case .st25DV: if !isOpen(block, isWrite: false) { throw .protected }
        case .none, .slix, .slixL: break
        }
    }

    /// Throws if the block cannot be written at the moment.
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

    /// Throws if the AFI cannot be changed at the moment.
    ///
    /// The caller has already checked the lock of the AFI.
    func checkAFI() throws(ISO15693Error) {
        if memory.custom.needsAFIPassword, !volatile.given.contains(ICODEPassword.easAFI) { throw .unknown }
    }

    /// Writes to a special block, such as the counter.
    ///
    /// Returns false for ordinary memory.
    mutating func writesSpecially(_ data: [UInt8], to block: Int) throws(ISO15693Error) -> Bool {
        guard block == chip.counterBlock else { return false }
        try writeCounter(data)
        return true
    }
}
