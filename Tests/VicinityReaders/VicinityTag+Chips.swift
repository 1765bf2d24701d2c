// Two chips with their manufacturers' commands, limited to those that the client tests send
//
// The commands are from memory of the data sheets: NXP SL2S2602 (ICODE SLIX2) GET RANDOM NUMBER B2, SET PASSWORD B3,
// READ SIGNATURE BD; ST ST25DV04K Read Configuration A0, Write Configuration A1, Present Password B3, Write Message AA,
// Read Message Length AB, Read Message AC.

import Synchronization

extension VicinityTag {
    private static let done: [UInt8] = [0x00]
    private static let refused: [UInt8] = [0x01, 0x0F]
    private static let unknown: [UInt8] = [0x01, 0x01]

    /// Returns an ICODE SLIX2 with a write password of 4 bytes.
    public static func icodeSLIX2(password: [UInt8] = [0x0F, 0x0F, 0x0F, 0x0F]) -> VicinityTag {
        let random = Mutex<[UInt8]>([0, 0])
        return VicinityTag(uid: [0xE0, 0x04, 0x01, 0x08, 0x11, 0x22, 0x33, 0x44], blockCount: 80) { code, parameters in
            switch code {
            case 0xB2:
                return done
                    + random.withLock { number in
                        number = number.map { $0 &+ 0x5B }
                        return number
                    }
            case 0xB3:
                let number = random.withLock { $0 }
                let sent = zip(parameters.dropFirst(), number + number).map { $0 ^ $1 }
                return parameters.count == 5 && parameters[0] == 0x02 && sent == password ? done : refused
            case 0xBD: return done + [UInt8](repeating: 0xA5, count: 32)
            default: return unknown
            }
        }
    }

    /// The memory of an ST25DV apart from its blocks.
    private struct ST25DV {
        var configuration: [UInt8] = [0x88, 0x03, 0x01, 0x01]
        var isOpen = false
        var mailbox: [UInt8] = []
    }

    /// Returns an ST25DV04K whose configuration password is zero, and which answers a message with its bytes in
    /// reverse.
    public static func st25dv04K() -> VicinityTag {
        let chip = Mutex(ST25DV())
        return VicinityTag(uid: [0xE0, 0x02, 0x24, 0x11, 0x22, 0x33, 0x44, 0x55], blockCount: 128) { code, parameters in
            chip.withLock { chip in
                let first = parameters.first.map(Int.init) ?? 0
                switch code {
                case 0xA0:
                    return chip.configuration.indices ~= first ? done + [chip.configuration[first]] : [0x01, 0x10]
                case 0xA1:
                    guard chip.isOpen, parameters.count == 2, chip.configuration.indices ~= first else {
                        return refused
                    }
                    chip.configuration[first] = parameters[1]
                    return done
                case 0xB3:
                    chip.isOpen = parameters == [UInt8](repeating: 0, count: 9)
                    return chip.isOpen ? done : refused
                case 0xAA:
                    guard parameters.count == first + 2 else { return refused }
                    chip.mailbox = parameters.dropFirst().reversed()
                    return done
                case 0xAB: return chip.mailbox.isEmpty ? refused : done + [UInt8(chip.mailbox.count - 1)]
                case 0xAC: return done + chip.mailbox.dropFirst(first)
                default: return unknown
                }
            }
        }
    }
}
