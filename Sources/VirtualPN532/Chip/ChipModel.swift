// Differences between the PN533 and the PN532 — NXP UM0801-03, firmware 2.7; otherwise as libnfc and nfcpy expect

/// A chip of the PN53x family, which a program identifies by the answers of the firmware.
///
/// Tags, frames and radio are the same. The PN533 has no SAM companion, no PowerDown and no InAutoPoll, and its answers
/// about registers start with a status byte. Real readers with a PN533 have a USB interface, which the program at the
/// other end of the serial line has to emulate.
public enum ChipModel: String, Sendable, CaseIterable {
    /// The PN532.
    case pn532
    /// The PN533.
    case pn533

    /// GetFirmwareVersion: `IC Ver Rev Support`.
    var firmwareVersion: [UInt8] {
        switch self {
        case .pn532: [0x32, 0x01, 0x06, 0x07]
        case .pn533: [0x33, 0x02, 0x07, 0x07]
        }
    }

    func knows(_ code: CommandCode) -> Bool {
        switch code {
        case .samConfiguration, .powerDown, .inAutoPoll: self == .pn532
        default: true
        }
    }

    /// The bytes before the data in the answers to ReadRegister and WriteRegister.
    fileprivate var registerStatus: [UInt8] { self == .pn532 ? [] : [ChipStatus.success.rawValue] }
    /// The high bytes of the addresses of a PN533 board's I²C EEPROM in ReadRegister.
    ///
    /// The virtual board has no EEPROM.
    fileprivate static let memory: ClosedRange<UInt8> = 0xA0...0xBF
    /// The BrTy values in InListPassiveTarget for type B at 212, 424 and 847 kbit/s, which the virtual tags do not
    /// support.
    fileprivate static let fastTypeB: ClosedRange<UInt8> = 0x06...0x08
}

extension PN532 {
    /// Returns the answer that only this model gives, or nil if all PN53x chips answer the same way.
    func ownAnswer(of model: ChipModel, to code: CommandCode, _ data: [UInt8]) -> Progress? {
        guard model == .pn533 else { return nil }
        switch code {
        case .getFirmwareVersion:
            // Extra command data is accepted: libnfc sends some to make a PN533 correct its USB descriptors.
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

    /// Checks for a MIFARE target without ISO-DEP, as Diagnose 06 of a PN533 does.
    ///
    /// The check sends one READ. If the READ fails, the target is selected again.
    private func isMIFAREPresent(_ number: UInt8) -> Bool {
        do throws(ChipStatus) {
            _ = try mifare([0x30, 0x00], of: number)
            return true
        } catch {
            guard case .typeA(let target) = slots[number]?.target else { return false }
            // The first attempt may fail and only move the tag from ACTIVE to IDLE.
            for _ in 0..<2 {
                guard let woken = activateTypeA(target.cascadeUID, sendsRATS: false) else { continue }
                slots[number] = woken
                return true
            }
            return false
        }
    }
}
