// The chip's registers as the host sees them — PN532/C1 data sheet, "CIU register description"

/// The values of the registers.
///
/// Names exist only for the registers that the simulation uses.
struct RegisterMap {
    static let txMode: UInt16 = 0x6302
    static let rxMode: UInt16 = 0x6303
    static let txControl: UInt16 = 0x6304
    static let txAuto: UInt16 = 0x6305
    static let manualReceive: UInt16 = 0x630D
    static let command: UInt16 = 0x6331
    static let fifoData: UInt16 = 0x6339
    static let fifoLevel: UInt16 = 0x633A
    static let control: UInt16 = 0x633C
    static let bitFraming: UInt16 = 0x633D

    /// The bit in CIU_TxMode and CIU_RxMode that makes the CIU add or strip the CRC.
    private static let crcEnable: UInt8 = 0x80
    /// Speed (bits 4–6) and framing (bits 0–1) in CIU_TxMode.
    private static let modulation: UInt8 = 0x73
    private static let speed: UInt8 = 0x70
    /// Tx2RFEn and Tx1RFEn in CIU_TxControl.
    private static let carrier: UInt8 = 0x03
    /// RxLastBits in CIU_Control, and TxLastBits in CIU_BitFraming.
    private static let lastBits: UInt8 = 0x07

    /// Initial values that hosts read before they write: Force100ASK, InvTx2RFOn and Initiator are set.
    private var values: [UInt16: UInt8] = [txAuto: 0x40, txControl: 0x80, control: 0x10]

    /// The value of a register.
    ///
    /// A register that was never written reads as zero.
    subscript(address: UInt16) -> UInt8 {
        get { values[address, default: 0] }
        set { values[address] = newValue }
    }

    var addsCRC: Bool { self[Self.txMode] & Self.crcEnable != 0 }
    var checksCRC: Bool { self[Self.rxMode] & Self.crcEnable != 0 }
    /// The modulation in CIU_TxMode, or nil if the virtual tags do not support it.
    var modulation: Modulation? {
        Modulation.allCases.first { $0.registerBits == self[Self.txMode] & Self.modulation }
    }
    /// ParityDisable in CIU_ManualRCV: no parity is sent, and the receiver treats parity bits as data.
    var isParityDisabled: Bool { self[Self.manualReceive] & 0x10 != 0 }
    /// The number of bits to send from the last byte; zero means all eight.
    var txLastBits: Int { Int(self[Self.bitFraming] & Self.lastBits) }

    mutating func setRxLastBits(_ count: Int) {
        self[Self.control] = self[Self.control] & ~Self.lastBits | UInt8(count) & Self.lastBits
    }

    mutating func setCarrier(_ isOn: Bool) {
        self[Self.txControl] = self[Self.txControl] & ~Self.carrier | (isOn ? Self.carrier : 0)
    }

    /// Sets the registers as the firmware leaves them after it has looked for a target.
    ///
    /// The registers then select the target's modulation, and enable the CRC in both directions except for Type 1 Tags.
    mutating func set(_ modulation: Modulation) {
        // The CIU cannot add CRC_B to type A frames, so the firmware adds it itself.
        let crc = modulation == .type1 ? 0x00 : Self.crcEnable
        self[Self.txMode] = crc | modulation.registerBits
        self[Self.rxMode] = crc | modulation.registerBits
        self[Self.bitFraming] = 0
    }

    /// Sets the speed bits for both directions after a target changed its bit rates.
    mutating func set(_ rates: BitRates) {
        self[Self.txMode] = self[Self.txMode] & ~Self.speed | rates.toTag.modulation.registerBits
        self[Self.rxMode] = self[Self.rxMode] & ~Self.speed | rates.toReader.modulation.registerBits
    }
}
