// Type 1 Tag commands through a PN532's registers — PN532/C1 data sheet, CIU registers; NXP UM0701-02, WriteRegister

/// One command of a Type 1 Tag, converted to host commands that make the CIU send it and return the answer.
///
/// InDataExchange supports only the commands of the static memory, and InCommunicateThru sends one frame with parity. A
/// Type 1 Tag, however, requires each byte in its own frame: the first with 7 bits, and all without parity. The
/// registers allow this. The order and values of the writes are those that nfcpy found to work on real chips. For the
/// PN533, nfcpy uses another order, with a host command for each byte. For the RC-S956, it has none.
///
/// One command of the tag needs two host commands: one to send and one to fetch the answer. They cannot be merged with
/// those for the next command, because the same FIFO holds an answer and the next command, and 64 bytes are not enough
/// for RSEG.
struct JewelFrames {
    private enum Register: UInt16 {
        case manualRCV = 0x630D
        case command = 0x6331
        case fifoData = 0x6339
        case fifoLevel = 0x633A
        case bitFraming = 0x633D
    }

    private enum CIUCommand {
        static let transmit: UInt8 = 0x04
        static let noChange: UInt8 = 0x07
        static let receive: UInt8 = 0x08
    }

    private static let readRegister: UInt8 = 0x06
    private static let writeRegister: UInt8 = 0x08
    /// CIU_FIFOLevel: the FlushBuffer bit.
    private static let flushBuffer: UInt8 = 0x80
    /// The values of CIU_ManualRCV, without and with ParityDisable.
    private static let parityEnabled: UInt8 = 0x20
    private static let parityDisabled: UInt8 = 0x30
    /// READ8, WRITE-NE8 and WRITE-E8, each with the time in microseconds after which its answer is available.
    ///
    /// The tag starts to answer after 91, 2659 and 5236 µs (NFC Forum Type 1 Tag, frame delay times). 11 bytes with
    /// parity at 106 kbit/s take 934 µs.
    private static let microseconds: [UInt8: UInt32] = [0x02: 2_000, 0x1B: 4_000, 0x54: 7_000]
    /// The length of every answer: the block's number, 8 bytes and CRC_B.
    private static let answerLength = 11
    /// The number of bytes of an answer in the FIFO, where parity bits are received as data.
    private static let fifoLength = (answerLength * 9 + 7) / 8

    /// The WriteRegister command that reverses ``transmission``, so that the chip handles the parity bit again.
    static let restoration = writing([(.manualRCV, parityEnabled)])
    /// The ReadRegister command that returns the fill level of the FIFO and its content.
    static let reception =
        [readRegister] + bytes(Register.fifoLevel.rawValue)
        + [UInt16](repeating: Register.fifoData.rawValue, count: fifoLength).flatMap(bytes)

    let transmission: [UInt8]
    /// The time in microseconds after which the answer is available.
    let answerTime: UInt32

    /// Creates the frames for a command.
    ///
    /// Returns nil if the answer would not, or might not, fit in the FIFO.
    ///
    /// - Parameter command: command, block, data and UID.
    init?(_ command: [UInt8]) {
        guard command.count == 14, let code = command.first, let time = Self.microseconds[code] else { return nil }
        var writes: [(Register, UInt8)] = [
            (.fifoLevel, Self.flushBuffer),
            (.fifoData, code), (.bitFraming, 7), (.command, CIUCommand.transmit),
            (.bitFraming, 0), (.manualRCV, Self.parityDisabled),
        ]
        for byte in command.dropFirst() + Self.crcB(command) {
            writes += [(.fifoData, byte), (.command, CIUCommand.transmit), (.command, CIUCommand.noChange)]
        }
        writes.append((.command, CIUCommand.receive))
        transmission = Self.writing(writes)
        answerTime = time
    }

    /// Returns the tag's answer, without CRC, from the answer to ``reception``.
    ///
    /// Nil if the tag's answer is missing or malformed.
    static func answer(in values: [UInt8]) -> [UInt8]? {
        guard values.count == 1 + fifoLength, let level = values.first, Int(level) >= fifoLength else { return nil }
        let bits = values.dropFirst().flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
        let bytes = (0..<answerLength).map { index in
            bits[index * 9..<index * 9 + 8].reversed().reduce(0) { $0 << 1 | $1 }
        }
        let answer = Array(bytes.dropLast(2))
        return crcB(answer) == bytes.suffix(2) ? answer : nil
    }

    /// Computes CRC_B, low byte first — ISO/IEC 14443-3 annex B.
    static func crcB(_ bytes: [UInt8]) -> [UInt8] {
        var register: UInt16 = 0xFFFF
        for byte in bytes {
            register ^= UInt16(byte)
            for _ in 0..<8 { register = register & 1 == 0 ? register >> 1 : register >> 1 ^ 0x8408 }
        }
        return Self.bytes(~register).reversed()
    }

    private static func writing(_ writes: [(Register, UInt8)]) -> [UInt8] {
        [writeRegister] + writes.flatMap { bytes($0.rawValue) + [$1] }
    }

    private static func bytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}
