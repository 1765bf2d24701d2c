// Commands for the chip itself — NXP UM0701-02, miscellaneous commands and RFConfiguration

extension PN532 {
    /// Diagnose: `NumTst InParam` → `OutParam`.
    func diagnose(_ data: [UInt8]) -> [UInt8]? {
        switch data.first {
        // Communication line test: the whole packet is returned.
        case 0x00: data
        // ROM test and RAM test.
        case 0x01, 0x02: data.count == 1 ? [0x00] : nil
        // Polling test for FeliCa targets: the answer is always 128 failures.
        case 0x04: data.count == 2 ? [0x80] : nil
        // Attention request, or check for the presence of an ISO/IEC 14443-4 card.
        case 0x06: data.count == 1 ? [(isSelectedTargetPresent ? ChipStatus.success : .timeout).rawValue] : nil
        // Antenna self-test.
        case 0x07: data.count == 2 ? [0x00] : nil
        default: nil
        }
    }

    private var isSelectedTargetPresent: Bool {
        guard let selected, var link = slots[selected]?.link else { return false }
        defer { slots[selected]?.link = link }
        return link.isPresent(over: radio)
    }

    /// GetGeneralStatus: `Err Field NbTg [Tg BrRx BrTx Type]… SAM status`.
    var generalStatus: [UInt8] {
        let targets = slots.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value.generalStatus }
        return [0x00, 0x00, UInt8(slots.count)] + targets + [0x80]
    }

    /// WriteGPIO: `P3 P7`.
    ///
    /// A value is ignored unless its highest bit is set.
    func writeGPIO(_ data: [UInt8]) -> [UInt8]? {
        guard data.count == 2 else { return nil }
        for (index, value) in data.enumerated() where value & 0x80 != 0 { ports[index] = value & 0x7F }
        return []
    }

    /// SetParameters: `Flags`.
    func setParameters(_ data: [UInt8]) -> [UInt8]? {
        guard data.count == 1 else { return nil }
        parameters = data[0]
        return []
    }

    /// SAMConfiguration: `Mode [Timeout [IRQ]]`.
    func samConfiguration(_ data: [UInt8]) -> [UInt8]? {
        guard (1...3).contains(data.count), (1...4).contains(data[0]) else { return nil }
        return []
    }

    /// PowerDown: `WakeUpEnable [GenerateIRQ]`.
    ///
    /// The next byte from the host wakes the chip, so only the field is lost.
    func powerDown(_ data: [UInt8]) -> [UInt8]? {
        guard (1...2).contains(data.count) else { return nil }
        endTarget()
        carrier(false)
        return [ChipStatus.success.rawValue]
    }

    /// RFConfiguration: `CfgItem ConfigurationData…`.
    func rfConfiguration(_ data: [UInt8]) -> [UInt8]? {
        guard let item = data.first else { return nil }
        let values = Array(data.dropFirst())
        switch (item, values.count) {
        case (0x01, 1): carrier(values[0] & 0x01 != 0)
        case (0x02, 3): retryTimeout = Self.timeout(index: values[2])
        case (0x05, 3): (pslRetries, passiveActivationRetries) = (values[1], values[2])
        case (0x04, 1): communicationRetries = values[0]
        // Analog settings for type A, 212/424 kbit/s, type B, and ISO/IEC 14443-4 at higher bit rates.
        case (0x0A, 11), (0x0B, 8), (0x0C, 3), (0x0D, 9): break
        default: return nil
        }
        return []
    }
}
