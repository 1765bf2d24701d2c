// The data that a tag returns during activation — ISO/IEC 14443-3 and -4, JIS X 6319-4

public import ReaderInterface

/// A field in the data that a target returns during activation.
///
/// The raw values do not change between releases.
public enum ActivationField: String, Hashable, Sendable, CaseIterable {
    /// The answer to request of NFC-A (ATQA, SENS_RES), 2 bytes, most significant byte first.
    case atqa
    /// The select acknowledge of NFC-A (SAK, SEL_RES), 1 byte.
    case sak
    /// The answer to select of ISO/IEC 14443-4 (ATS), without its length byte.
    case ats
    /// The historical bytes at the end of the ATS.
    case historicalBytes
    /// The answer to request of NFC-B (SENSB_RES), 12 bytes: `50`, PUPI, application data and protocol information.
    case atqb
    /// The manufacture parameters of FeliCa (PMm, PAD), 8 bytes.
    case pmm
    /// The system code of FeliCa, 2 bytes.
    case systemCode
}

extension Target {
    /// The activation fields that the reader reported, in protocol order.
    public var activation: [(field: ActivationField, bytes: [UInt8])] {
        let all: [(ActivationField, [UInt8])] =
            switch self {
            case .nfcA(let target):
                [
                    (.atqa, target.sensRes), (.sak, [target.selRes]), (.ats, target.ats),
                    (.historicalBytes, target.historicalBytes),
                ]
            case .nfcB(let target): [(.atqb, [0x50] + target.nfcID0 + target.applicationData + target.protocolInfo)]
            case .nfcF(let target): [(.pmm, target.pad), (.systemCode, target.systemCode)]
            case .jewel(let target): [(.atqa, target.sensRes)]
            case .nfcV: []
            }
        return all.filter { !$0.1.isEmpty }.map { (field: $0.0, bytes: $0.1) }
    }
}
