// An activated target — NFC Forum Digital Protocol, ISO/IEC 14443-3, ISO/IEC 15693-3, JIS X 6319-4

/// A radio technology for which a reader can poll.
public enum Technology: String, CaseIterable, Hashable, Sendable {
    /// NFC-A, ISO/IEC 14443 type A at 106 kbit/s.
    case nfcA
    /// NFC-B, ISO/IEC 14443 type B at 106 kbit/s.
    case nfcB
    /// NFC-F, FeliCa at 212 kbit/s.
    case nfcF
    /// Type 1 Tags (Topaz, Jewel), which use NFC-A with RID instead of anticollision.
    case jewel
    /// NFC-V, ISO/IEC 15693, which no PN53x supports.
    case nfcV
}

/// A target, with the data that it sent during its activation.
public enum Target: Hashable, Sendable {
    /// NFC-A.
    case nfcA(NFCATarget)
    /// NFC-B.
    case nfcB(NFCBTarget)
    /// NFC-F.
    case nfcF(NFCFTarget)
    /// A Type 1 Tag.
    case jewel(JewelTarget)
    /// NFC-V.
    case nfcV(NFCVTarget)

    /// The technology with which the target was activated.
    public var technology: Technology {
        switch self {
        case .nfcA: .nfcA
        case .nfcB: .nfcB
        case .nfcF: .nfcF
        case .jewel: .jewel
        case .nfcV: .nfcV
        }
    }

    /// The bytes that distinguish this target from others.
    ///
    /// These are NFCID1, NFCID0, NFCID2, the Type 1 Tag's UID-0…UID-3, or the UID of NFC-V.
    public var identifier: [UInt8] {
        switch self {
        case .nfcA(let target): target.nfcID1
        case .nfcB(let target): target.nfcID0
        case .nfcF(let target): target.nfcID2
        case .jewel(let target): target.uid
        case .nfcV(let target): target.uid
        }
    }
}

extension Target {
    /// Whether the identifier changes randomly at each power-up.
    ///
    /// This is the case for a 4-byte NFCID1 that starts with 08 — ISO/IEC 14443-3.
    package var hasRandomIdentifier: Bool {
        technology == .nfcA && identifier.count == 4 && identifier.first == 0x08
    }
}

/// An NFC-A target.
public struct NFCATarget: Hashable, Sendable {
    /// SENS_RES (ATQA), 2 bytes, high byte (platform configuration) first.
    public var sensRes: [UInt8]
    /// SEL_RES (SAK) of the last cascade level.
    public var selRes: UInt8
    /// NFCID1 (UID) without cascade tags: 4, 7 or 10 bytes.
    public var nfcID1: [UInt8]
    /// The answer to select without its length byte TL.
    ///
    /// The array is empty if the target does not support ISO-DEP.
    public var ats: [UInt8]

    /// Creates a target from its activation bytes.
    public init(sensRes: [UInt8], selRes: UInt8, nfcID1: [UInt8], ats: [UInt8] = []) {
        self.sensRes = sensRes
        self.selRes = selRes
        self.nfcID1 = nfcID1
        self.ats = ats
    }

    /// Whether the target supports ISO-DEP (ISO/IEC 14443-4), according to bit 6 of SEL_RES.
    public var isISODEP: Bool { selRes & 0x20 != 0 }
}

/// An NFC-B target.
public struct NFCBTarget: Hashable, Sendable {
    /// NFCID0 (PUPI), 4 bytes.
    public var nfcID0: [UInt8]
    /// The application data of SENSB_RES, 4 bytes.
    public var applicationData: [UInt8]
    /// The protocol information of SENSB_RES, 3 bytes.
    public var protocolInfo: [UInt8]

    /// Creates a target from its activation bytes.
    public init(nfcID0: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8]) {
        self.nfcID0 = nfcID0
        self.applicationData = applicationData
        self.protocolInfo = protocolInfo
    }
}

/// An NFC-F target.
public struct NFCFTarget: Hashable, Sendable {
    /// NFCID2 (IDm), 8 bytes.
    public var nfcID2: [UInt8]
    /// PAD (PMm), 8 bytes.
    public var pad: [UInt8]
    /// The system code of SENSF_RES, 2 bytes.
    public var systemCode: [UInt8]

    /// Creates a target from its activation bytes.
    public init(nfcID2: [UInt8], pad: [UInt8], systemCode: [UInt8]) {
        self.nfcID2 = nfcID2
        self.pad = pad
        self.systemCode = systemCode
    }
}

/// An activated Type 1 Tag.
public struct JewelTarget: Hashable, Sendable {
    /// SENS_RES, 2 bytes.
    public var sensRes: [UInt8]
    /// UID-0…UID-3, as returned by RID.
    public var uid: [UInt8]

    /// Creates a target from its activation bytes.
    public init(sensRes: [UInt8], uid: [UInt8]) {
        self.sensRes = sensRes
        self.uid = uid
    }
}

/// An NFC-V target.
public struct NFCVTarget: Hashable, Sendable {
    /// The UID, 8 bytes, most significant byte first.
    ///
    /// It contains `E0`, the manufacturer code of ISO/IEC 7816-6 and six bytes of serial number.
    public var uid: [UInt8]

    /// Creates a target from its UID.
    public init(uid: [UInt8]) { self.uid = uid }
}
