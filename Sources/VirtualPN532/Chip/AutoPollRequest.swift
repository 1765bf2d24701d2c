// The targets that InAutoPoll looks for — NXP UM0701-02, InAutoPoll

/// The command data of InAutoPoll: `PollNr Period Type1 [… Type15]`.
struct AutoPollRequest {
    private static let period = Duration.milliseconds(150)
    /// The generic type at 106 kbit/s: MIFARE, ISO/IEC 14443-4A or a DEP target.
    ///
    /// The generic types 01 and 02 cover a FeliCa card or a DEP target at 212 and 424 kbit/s.
    private static let genericTypeA: UInt8 = 0x00
    private static let mifare: UInt8 = 0x10
    private static let isoDEPTypeA: UInt8 = 0x20

    let types: [UInt8]
    /// How long to poll; nil for polling without an end.
    let duration: Duration?

    init?(_ data: [UInt8]) {
        guard (3...17).contains(data.count), data[0] != 0, (1...15).contains(data[1]) else { return nil }
        types = Array(data.dropFirst(2))
        duration = data[0] == 0xFF ? nil : Self.period * (Int(data[0]) * Int(data[1]) * types.count)
    }

    /// The technologies to poll for, in the order of the types.
    ///
    /// DEP targets (40 to 42, 80 to 82) are never found.
    var technologies: [PassiveTechnology] {
        types.reduce(into: []) { found, type in
            let technology: PassiveTechnology? =
                switch type {
                case 0x00, 0x10, 0x20: .typeA106
                case 0x01, 0x11: .feliCa212
                case 0x02, 0x12: .feliCa424
                case 0x03, 0x23: .typeB106
                case 0x04: .jewel106
                default: nil
                }
            if let technology, !found.contains(technology) { found.append(technology) }
        }
    }

    var wantsISODEPTypeA: Bool { types.contains(Self.isoDEPTypeA) || types.contains(Self.genericTypeA) }

    /// The type under which a found target is reported.
    static func type(of slot: PN532.Slot, _ technology: PassiveTechnology) -> UInt8 {
        switch technology {
        case .typeA106: slot.link != nil ? isoDEPTypeA : mifare
        case .feliCa212: 0x11
        case .feliCa424: 0x12
        case .typeB106: 0x23
        case .jewel106: 0x04
        }
    }

    /// Whether the request contains the type of a found target, either directly or as a generic type.
    func accepts(_ type: UInt8, _ technology: PassiveTechnology) -> Bool {
        types.contains(type) || types.contains(technology.rawValue)
    }
}
