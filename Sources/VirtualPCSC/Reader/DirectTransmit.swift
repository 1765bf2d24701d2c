// `FF 00 00 00`: access to the PN532 in the reader — ACS, ACR122U API 4.1 and ACR1252U manual

import VirtualPN532

extension ReaderFirmware {
    private static let toChip: UInt8 = 0xD4
    private static let fromChip: UInt8 = 0xD5
    private static let firmware = "ACR122U207"

    /// Answers `FF 00 00 00 Lc D4 …` with `D5 …`, and `FF 00 48 00 00` with the firmware name, which has no status
    /// word.
    func directTransmit(_ command: PseudoAPDU) -> [UInt8] {
        switch command.p1 {
        case 0x00:
            guard command.data.first == Self.toChip, command.data.count > 1 else { return StatusWord.failed.bytes }
            guard let answer = proximity.execute(Array(command.data.dropFirst())) else {
                return StatusWord.failed.bytes
            }
            return [Self.fromChip] + answer + StatusWord.success.bytes
        case 0x40: return StatusWord.success.bytes  // LED and buzzer
        case 0x48: return Array(Self.firmware.utf8)
        default: return StatusWord.failed.bytes
        }
    }
}
