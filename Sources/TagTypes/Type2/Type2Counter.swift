// The one-way counters of Type 2 Tags — NXP NTAG21x and MF0ULx1 (READ_CNT, CHECK_TEARING_EVENT), MF0ICU2 and NTAG203
// (block 41)
import Chips
import ReaderInterface

extension Type2Tag {
    private static let readCounterCommand: UInt8 = 0x39
    private static let checkTearingCommand: UInt8 = 0x3E
    /// The answer to CHECK_TEARING_EVENT if no increment was interrupted.
    private static let intact: UInt8 = 0xBD
    private static let nfcCounter: UInt8 = 2

    /// Reads the counters of the chip, except those that are disabled or require a password.
    func readCounters() throws(TagError) -> [MemoryMap.Counter] {
        guard let chip = memory.chip else { return [] }
        var counters: [MemoryMap.Counter] = []
        if let block = chip.counterBlock, let bytes = memory.cached(block) {
            counters.append(MemoryMap.Counter(number: 0, value: Self.value(bytes.prefix(2)), isTorn: nil))
        }
        if chip.features.contains(.nfcCounter), isCounterReadable(chip), let value = try counter(Self.nfcCounter) {
            counters.append(MemoryMap.Counter(number: Self.nfcCounter, value: value, isTorn: nil))
        }
        guard chip.features.contains(.threeCounters) else { return counters }
        for number in UInt8(0)...2 {
            guard let value = try counter(number) else { return counters }
            let tearing = try memory.ask([Self.checkTearingCommand, number], framing: .raw, count: 1)
            counters.append(
                MemoryMap.Counter(number: number, value: value, isTorn: tearing.map { $0 != [Self.intact] }))
        }
        return counters
    }

    /// Whether the chip will answer READ_CNT for the NFC counter.
    ///
    /// The chip refuses the command while the counter is disabled, and must be selected again after each refusal.
    private func isCounterReadable(_ chip: Type2Chip) -> Bool {
        guard let address = chip.protection?.accessAddress, let access = memory.cached(address / 4)?[0]
        else { return false }
        let configuration = MemoryMap.PasswordProtection(auth0: 0, access: access)
        return configuration.isCounterEnabled && (!configuration.protectsCounter || memory.credential != nil)
    }

    /// Sends READ_CNT and returns the value of the counter, or `nil` if the chip does not return it.
    ///
    /// The answer has 3 bytes, lowest byte first.
    private func counter(_ number: UInt8) throws(TagError) -> Int? {
        try memory.ask([Self.readCounterCommand, number], framing: .raw, count: 3).map { Self.value($0[...]) }
    }

    private static func value(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
