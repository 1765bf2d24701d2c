// What a PN533 does otherwise than a PN532 — NXP UM0801-03, firmware 2.7; where it is silent, what libnfc and nfcpy expect

/// A chip of the PN53x family, by what its firmware answers.
///
/// Tags, frames and radio are the same. The PN533 has no SAM companion, no PowerDown and no InAutoPoll; it begins the
/// answers about registers with a status byte; it is sold behind USB, which is for who owns the serial line to emulate.
public enum ChipModel: String, Sendable, CaseIterable {
    case pn532
    case pn533

    /// GetFirmwareVersion: `IC Ver Rev Support`.
    var firmwareVersion: [UInt8] {
        switch self {
        case .pn532: [0x32, 0x01, 0x06, 0x07]
        case .pn533: [0x33, 0x02, 0x07, 0x07]
        }
    }

    /// Whether the firmware has this command.
    func knows(_ code: CommandCode) -> Bool {
        switch code {
        case .samConfiguration, .powerDown, .inAutoPoll: self == .pn532
        default: true
        }
    }

    /// What stands before the answers of ReadRegister and WriteRegister.
    fileprivate var registerStatus: [UInt8] { self == .pn532 ? [] : [ChipStatus.success.rawValue] }
    /// Where the PN533 shows the I²C EEPROM of its board; none is there.
    fileprivate static let memory: ClosedRange<UInt8> = 0xA0...0xBF
    /// InListPassiveTarget's BrTy for type B at 212, 424 and 847 kbit/s, which tags here do not know.
    fileprivate static let fastTypeB: ClosedRange<UInt8> = 0x06...0x08
}

extension PN532 {
    /// The answer where the model gives one of its own; nil where it does as every PN53x does.
    func ownAnswer(of model: ChipModel, to code: CommandCode, _ data: [UInt8]) -> Progress? {
        guard model == .pn533 else { return nil }
        switch code {
        case .getFirmwareVersion:
            // What is said beyond the command is taken: libnfc mends the USB descriptors of a PN533 by that.
            return .answer([code.rawValue + 1] + model.firmwareVersion)
        case .readRegister:
            if data.count.isMultiple(of: 2), let high = data.first, ChipModel.memory.contains(high) {
                return .answer([code.rawValue + 1, ChipStatus.invalidParameter.rawValue])
            }
            return readRegister(data).map { .answer([code.rawValue + 1] + model.registerStatus + $0) } ?? .syntaxError
        case .writeRegister:
            return writeRegister(data).map { .answer([code.rawValue + 1] + model.registerStatus + $0) } ?? .syntaxError
        case .inListPassiveTarget where data.count >= 2 && ChipModel.fastTypeB.contains(data[1]):
            return .answer([code.rawValue + 1, 0x00])
        case .diagnose where data == [0x06]:
            guard let selected, case .typeA = slots[selected]?.target, slots[selected]?.link == nil else { return nil }
            let status: ChipStatus = isMIFAREPresent(selected) ? .success : .timeout
            return .answer([code.rawValue + 1, status.rawValue])
        default: return nil
        }
    }

    /// Diagnose 06 of a PN533 serves targets without ISO-DEP, too: one READ, and a new selection if that is refused.
    private func isMIFAREPresent(_ number: UInt8) -> Bool {
        do throws(ChipStatus) {
            _ = try mifare([0x30, 0x00], of: number)
            return true
        } catch {
            guard case .typeA(let target) = slots[number]?.target else { return false }
            // The first try may only send the tag from ACTIVE to IDLE.
            for _ in 0..<2 {
                guard let woken = activateTypeA(target.cascadeUID, sendsRATS: false) else { continue }
                slots[number] = woken
                return true
            }
            return false
        }
    }
}
