// Activation of a type B target by the firmware — ISO/IEC 14443-3 type B; NXP UM0701-02, InListPassiveTarget

/// The data that the chip keeps about a type B target.
struct TypeBTarget: Hashable {
    /// The bytes of ATQB: `50`, PUPI (4 bytes), application data (4 bytes), protocol info (3 or 4 bytes).
    let atqb: [UInt8]
    /// The answer to ATTRIB: MBLI and CID, then a higher-layer response.
    ///
    /// It is empty before ATTRIB.
    var attribResponse: [UInt8] = []

    private static let atqbCode: UInt8 = 0x50

    init?(atqb: [UInt8]) {
        guard (12...13).contains(atqb.count), atqb[0] == Self.atqbCode else { return nil }
        self.atqb = atqb
    }

    var pupi: [UInt8] { Array(atqb[1..<5]) }
    var isISODEP: Bool { atqb[10] & 0x01 != 0 }
    /// Whether the target supports CIDs, according to the frame option in ATQB.
    var takesCID: Bool { atqb[11] & 0x01 != 0 }

    /// The target data: `ATQB, length, ATTRIB_RES`.
    var targetData: [UInt8] { atqb + [UInt8(truncatingIfNeeded: attribResponse.count)] + attribResponse }

    /// A new block protocol state for this target; nil if the target does not support ISO-DEP.
    var link: ISODEPInitiator? {
        guard isISODEP else { return nil }
        return ISODEPInitiator(
            modulation: .typeB106, frameSizeIndex: atqb[10] >> 4, waitingTimeIndex: atqb[11] >> 4,
            cid: takesCID ? Radio.typeBIdentifier : nil)
    }
}

extension Radio {
    /// The CID that the firmware assigns.
    ///
    /// Sources: nfcpy's driver, and the answer `21` to ATTRIB in ACS's manual for the ACR122L.
    static let typeBIdentifier: UInt8 = 0x01
    private static let requestCode: UInt8 = 0x05
    private static let wakeUpFlag: UInt8 = 0x08
    /// The parameter of REQB that requests N = 2^4 slots.
    private static let sixteenSlots: UInt8 = 0x04
    private static let attribCode: UInt8 = 0x1D
    private static let haltCode: UInt8 = 0x50
    /// Param 2 of ATTRIB: FSDI 5 (64 bytes), 106 kbit/s in both directions.
    private static let frameSizeAndRates: UInt8 = 0x05

    /// Sends REQB or WUPB with one time slot, and again with sixteen if tags collide.
    ///
    /// Returns the tags whose answers arrived correctly.
    func requestTypeB(applicationFamily: UInt8, wakesUp: Bool) -> [TypeBTarget] {
        let parameter = wakesUp ? Self.wakeUpFlag : 0x00
        let request = [Self.requestCode, applicationFamily]
        let answer = exchangeTypeB(request + [parameter])
        guard case .collision = answer else { return [answer].compactMap(Self.target) }
        let first = exchangeTypeB(request + [parameter | Self.sixteenSlots])
        let others = (1..<16).map { exchangeTypeB([UInt8($0) << 4 | Self.requestCode]) }
        return ([first] + others).compactMap(Self.target)
    }

    private static func target(_ answer: AirAnswer) -> TypeBTarget? {
        guard case .frame(let frame) = answer, let atqb = frame.data else { return nil }
        return TypeBTarget(atqb: atqb)
    }

    /// Sends ATTRIB, and returns the target with its answer, or nil if it does not answer.
    func attribute(_ target: TypeBTarget) -> TypeBTarget? {
        let protocolType: UInt8 = target.isISODEP ? 0x01 : 0x00
        let cid = target.takesCID ? Self.typeBIdentifier : 0x00
        let attrib = [Self.attribCode] + target.pupi + [0x00, Self.frameSizeAndRates, protocolType, cid]
        guard case .frame(let frame) = exchangeTypeB(attrib), let response = frame.data else { return nil }
        var target = target
        target.attribResponse = response
        return target
    }

    func halt(_ target: TypeBTarget) { _ = exchangeTypeB([Self.haltCode] + target.pupi) }

    private func exchangeTypeB(_ data: [UInt8]) -> AirAnswer {
        exchange(.withCRC(data, .typeB106), timeout: Self.activationTimeout, isCommand: false)
    }
}
