// Where manufacturers add to the standard's commands

extension ISO15693Card {
    mutating func executeCustom(_ request: ISO15693Request) throws(ISO15693Error) -> [UInt8]? { throw .notSupported }

    /// What a read shows of a block.
    func contents(of block: Int) -> [UInt8] { memory[block] }

    func checkReading(of block: Int) throws(ISO15693Error) {}

    func checkLocking(of block: Int) throws(ISO15693Error) {}

    /// Writes to a block that is none of the ordinary memory; false for those that are.
    mutating func writesSpecially(_ data: [UInt8], to block: Int) throws(ISO15693Error) -> Bool { false }
}
