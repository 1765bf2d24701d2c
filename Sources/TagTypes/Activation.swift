// The answers of a tag to activation — ISO/IEC 14443-3 and -4, JIS X 6319-4

public import ReaderInterface

/// A part of a target's answers to activation.
///
/// The raw values stay the same from release to release.
public enum ActivationField: String, Hashable, Sendable, CaseIterable {
    /// The answer to request of NFC-A (SENS_RES), 2 bytes, most significant first.
    case atqa
    /// The select acknowledge of NFC-A (SEL_RES), 1 byte.
    case sak
    /// The answer to select of ISO/IEC 14443-4, without its length byte.
    case ats
    /// The historical bytes at the end of the ATS.
    case historicalBytes
    /// The answer to request of NFC-B (SENSB_RES): `50`, PUPI, application data, protocol information; 12 bytes.
    case atqb
    /// FeliCa's manufacture parameters (PAD), 8 bytes.
    case pmm
    /// FeliCa's system code, 2 bytes.
    case systemCode
}

extension Target {
    /// The answers to activation, in the order of the protocol, without those that the reader does not report.
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
