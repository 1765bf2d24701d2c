// The UID of an NFC-V tag, whichever end a reader gives first — ISO/IEC 15693-3, 4.1 and 10.3.1; PC/SC part 3, GET DATA

import ReaderInterface

/// Puts E0 first in a UID: readers disagree on the order.
struct VicinityIdentifier {
    let carrier: any APDUCarrier
    let dialect: ReaderDialect

    /// Turns a UID so that E0 comes first.
    ///
    /// One serial number of 256 ends with E0, too. Then the tag is asked, which sends its UID with E0 last. A reader that
    /// knows blocks only cannot ask. There the maker's code decides: ISO/IEC 7816-6 counts makers upwards from 1.
    ///
    /// - Parameter uid: as GET DATA gives it.
    /// - Returns: 8 bytes; nil for other lengths, and when no end is E0.
    /// - Throws: `noAnswer` and `tagLost` when the tag does not answer.
    func ordered(_ uid: [UInt8]) throws(ReaderError) -> [UInt8]? {
        guard uid.count == 8 else { return nil }
        let reversed = Array(uid.reversed())
        switch (uid.first, uid.last) {
        case (0xE0, 0xE0):
            switch try sent() {
            case reversed: return uid
            case uid: return reversed
            default: return uid[1] <= reversed[1] ? uid : reversed
            }
        case (0xE0, _): return uid
        case (_, 0xE0): return reversed
        default: return nil
        }
    }

    /// The UID as the tag sends it; nil when the reader cannot ask for it.
    private func sent() throws(ReaderError) -> [UInt8]? {
        for route in dialect.nfcV {
            switch route {
            case .transparent:
                let session = TransparentSession(carrier)
                guard try session.open(.nfcV) else { continue }
                defer { session.end() }
                // Inventory, one slot, no mask. Answered by flags, DSFID and UID — ISO/IEC 15693-3, 10.3.1.
                let answer = try session.exchange([0x26, 0x01, 0x00], microseconds: nil).bytes
                if answer.count == 10, answer[0] == 0 { return Array(answer[2...]) }
            case .passThrough(let instruction, _):
                // Get System Information, answered by fields and UID — ISO/IEC 15693-3, 10.4.12. Not every tag knows it.
                let answer = try carrier.transmit([0xFF, instruction, 0x00, 0x00, 0x01, 0x2B])
                if answer.isSuccess, answer.data.count >= 9 { return Array(answer.data[1..<9]) }
            case .blocks: continue
            }
        }
        return nil
    }
}
