// The UID of an NFC-V tag, regardless of the reader's byte order — ISO/IEC 15693-3, 4.1 and 10.3.1; PC/SC part 3, GET
// DATA

import ReaderInterface

/// Reorders a UID so that E0 is the first byte, because readers use different byte orders.
struct VicinityIdentifier {
    let carrier: any APDUCarrier
    let dialect: ReaderDialect

    /// Returns the UID with E0 first.
    ///
    /// One in 256 UIDs has E0 at both ends. In that case, the tag is asked for its UID, which it sends with E0 as the
    /// last byte. A reader that supports only block commands cannot ask. With such a reader, the byte order with the
    /// lower manufacturer code is chosen, because ISO/IEC 7816-6 assigns these codes in ascending order from 1.
    ///
    /// - Parameter uid: the UID as returned by GET DATA.
    /// - Returns: 8 bytes. Nil if the UID has another length, or if neither end is E0.
    /// - Throws: `tagLost` and other reader errors.
    func ordered(_ uid: [UInt8]) throws(ReaderError) -> [UInt8]? {
        guard uid.count == 8 else { return nil }
        let reversed = Array(uid.reversed())
        switch (uid.first, uid.last) {
        case (0xE0, 0xE0):
            let answer: [UInt8]?
            do throws(ReaderError) {
                answer = try sent()
            } catch {
                guard error == .noAnswer else { throw error }
                answer = nil
            }
            switch answer {
            case reversed: return uid
            case uid: return reversed
            default: return uid[1] <= reversed[1] ? uid : reversed
            }
        case (0xE0, _): return uid
        case (_, 0xE0): return reversed
        default: return nil
        }
    }

    /// Returns the UID in the tag's byte order, or nil if the reader cannot ask the tag for it.
    private func sent() throws(ReaderError) -> [UInt8]? {
        for route in dialect.nfcV {
            switch route {
            case .transparent:
                let session = TransparentSession(carrier)
                guard try session.open(.nfcV) else { continue }
                defer { session.end() }
                // Inventory, one slot, no mask. The answer is flags, DSFID and UID — ISO/IEC 15693-3, 10.3.1.
                let answer = try session.exchange([0x26, 0x01, 0x00], microseconds: nil).bytes
                if answer.count == 10, answer[0] == 0 { return Array(answer[2...]) }
            case .passThrough(let instruction, _):
                // Get System Information. The answer is fields and UID — ISO/IEC 15693-3, 10.4.12. Not every tag
                // supports it.
                let answer = try carrier.transmit([0xFF, instruction, 0x00, 0x00, 0x01, 0x2B])
                if answer.isSuccess, answer.data.count >= 9 { return Array(answer.data[1..<9]) }
            case .blocks: continue
            }
        }
        return nil
    }
}
