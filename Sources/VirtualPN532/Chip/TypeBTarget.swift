// Activation of a type B target by the firmware — ISO/IEC 14443-3 type B; NXP UM0701-02, InListPassiveTarget

/// The chip's data about a target after ATQB or ATTRIB.
struct TypeBTarget: Hashable {
    /// `50`, PUPI (4), application data (4), protocol info (3).
    let atqb: [UInt8]
    /// The answer to ATTRIB: MBLI and CID, higher-layer response.
    var attribResponse: [UInt8] = []

    private static let atqbCode: UInt8 = 0x50

    init?(atqb: [UInt8]) {
        guard (12...13).contains(atqb.count), atqb[0] == Self.atqbCode else { return nil }
        self.atqb = atqb
    }

    var pupi: [UInt8] { Array(atqb[1..<5]) }
    var isISODEP: Bool { atqb[10] & 0x01 != 0 }
    /// Frame option: whether the target supports CIDs.
    var takesCID: Bool { atqb[11] & 0x01 != 0 }

    /// `ATQB, length, ATTRIB_RES`.
    var targetData: [UInt8] { atqb + [UInt8(truncatingIfNeeded: attribResponse.count)] + attribResponse }

    /// The block protocol state for this target; nil if the target does not support ISO-DEP.
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
    /// Sources: nfcpy's driver, and an answer `21` to ATTRIB in ACS's ACR122L manual.
    static let typeBIdentifier: UInt8 = 0x01
    private static let requestCode: UInt8 = 0x05
    private static let wakeUpFlag: UInt8 = 0x08
    /// The parameter of REQB for N = 2^4 slots.
    private static let sixteenSlots: UInt8 = 0x04
    private static let attribCode: UInt8 = 0x1D
    private static let haltCode: UInt8 = 0x50
    /// Param 2 of ATTRIB: FSDI 5 (64 bytes), 106 kbit/s in both directions.
    private static let frameSizeAndRates: UInt8 = 0x05

    /// Sends REQB or WUPB with one slot, and again with sixteen if tags collide.
    ///
    /// Returns the tags that were understood.
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

    /// Sends ATTRIB.
    ///
    /// Returns the target with its answer, or nil if it does not answer.
    func attribute(_ target: TypeBTarget) -> TypeBTarget? {
        let protocolType: UInt8 = target.isISODEP ? 0x01 : 0x00
        let cid = target.takesCID ? Self.typeBIdentifier : 0x00
        let attrib = [Self.attribCode] + target.pupi + [0x00, Self.frameSizeAndRates, protocolType, cid]
        guard case .frame(let frame) = exchangeTypeB(attrib), let response = frame.data else { return nil }
        var target = target
        target.attribResponse = response
        return target
    }

    /// Sends HLTB.
    func halt(_ target: TypeBTarget) { _ = exchangeTypeB([Self.haltCode] + target.pupi) }

    private func exchangeTypeB(_ data: [UInt8]) -> AirAnswer {
        exchange(.withCRC(data, .typeB106), timeout: Self.activationTimeout, isCommand: false)
    }
}
