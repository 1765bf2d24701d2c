// Targets that the chip has numbered — NXP UM0701-02, TargetData of InListPassiveTarget

/// A target that the chip found in its field.
enum Target: Hashable {
    case typeA(TypeATarget)
    case typeB(TypeBTarget)
    case feliCa(FeliCaTarget)
    case type1(Type1Target)

    /// The data that follows the target's number in the answer to InListPassiveTarget.
    var targetData: [UInt8] {
        switch self {
        case .typeA(let target): target.targetData
        case .typeB(let target): target.targetData
        case .feliCa(let target): target.pollingResponse
        case .type1(let target): target.targetData
        }
    }

    var modulation: Modulation {
        switch self {
        case .typeA: .typeA106
        case .type1: .type1
        case .typeB: .typeB106
        case .feliCa(let target): target.modulation
        }
    }

    /// The target's part of the answer to GetGeneralStatus: `BrRx BrTx Type`.
    var generalStatus: [UInt8] {
        let type: UInt8 =
            switch self {
            case .typeA, .typeB: 0x00
            case .feliCa: 0x10
            case .type1: 0x02
            }
        let rate = modulation.registerBits >> 4
        return [rate, rate, type]
    }
}

extension PN532.Slot {
    /// The target's part of the answer to GetGeneralStatus, `BrRx BrTx Type`, with the bit rates that a PPS selected.
    var generalStatus: [UInt8] {
        let status = target.generalStatus
        guard let rates = link?.bitRates, rates != .standard else { return status }
        return [rates.toReader.rawValue, rates.toTag.rawValue] + status.suffix(1)
    }
}
