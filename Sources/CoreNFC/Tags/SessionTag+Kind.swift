// The protocols that a tag of an NDEF session conforms to, because apps for iOS cast it to get its identifier

import ReaderInterface
import ReaderSession
import TagTypes

extension SessionTag {
    /// Returns the tag that an NDEF session found.
    ///
    /// It is also a native tag if its technology has one.
    static func ofNDEFSession(_ tag: DetectedTag, in session: NFCReaderSession) -> SessionTag {
        func card() -> SessionTag { ISO7816SessionTag(tag, application: [], permission: .all, in: session) }
        switch tag.target {
        case .nfcA(let activation):
            if TagDetection.tagType(of: tag.target).type == .mifareClassic { break }
            let isMiFareProduct = !activation.isISODEP || activation.isDESFire || MiFareFamily(activation) == .plus
            return isMiFareProduct ? MiFareSessionTag(activation, tag, in: session) : card()
        case .nfcB: return card()
        case .nfcF(let activation):
            return FeliCaSessionTag(
                tag, idm: activation.nfcID2, systemCode: activation.systemCode, permission: .all, in: session)
        case .nfcV: if let vicinity = ISO15693SessionTag(vicinity: tag, in: session) { return vicinity }
        case .jewel: break
        }
        return SessionTag(tag, in: session)
    }
}
