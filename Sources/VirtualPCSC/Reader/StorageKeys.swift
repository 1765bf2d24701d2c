// `FF 82` and `FF 86`: keys of MIFARE Classic — PC/SC part 3, 3.2.2.1.4 and 3.2.2.1.6

import VirtualPN532

extension ReaderFirmware {
    private static let keySize = 6
    private static let keySlots: ClosedRange<UInt8> = 0...1
    private static let authenticationVersion: UInt8 = 0x01

    /// Executes `FF 82 structure slot 06 key`, which loads a key.
    func loadKey(_ command: PseudoAPDU) -> [UInt8] {
        guard model.keyStructures.contains(command.p1) else { return StatusWord.keyUnusable.bytes }
        guard Self.keySlots.contains(command.p2) else { return StatusWord.wrongParameters.bytes }
        guard command.data.count == Self.keySize else { return StatusWord.wrongLength.bytes }
        keys[command.p2] = command.data
        return StatusWord.success.bytes
    }

    /// Executes `FF 86 00 00 05 01 block (2) 60|61 slot`.
    ///
    /// The sector stays accessible until the next authentication or an error.
    func authenticate(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard let tag = card as? any TypeATag else { return StatusWord.functionNotSupported.bytes }
        let data = command.data
        guard data.count == 5, data[0] == Self.authenticationVersion, [0x60, 0x61].contains(data[3]) else {
            return StatusWord.wrongLength.bytes
        }
        guard let key = keys[data[4]] else { return StatusWord.keyUnusable.bytes }
        // The authentication uses the last four bytes of a 7-byte UID.
        let answer = proximity.exchange([data[3], data[2]] + key + tag.nfcID1.suffix(4), with: card)
        return (answer == nil ? StatusWord.failed : .success).bytes
    }
}
