// Which protocols of tags a tag of an NDEF session conforms to: apps for iOS cast it to get its identifier

import NFCReader
import TagTypes

extension SessionTag {
    /// The tag of a target that an NDEF session found; it is a native tag as well, where its technology is one of theirs.
    static func ofNDEFSession(_ target: Target, in session: NFCReaderSession, round: Int) -> SessionTag {
        func card() -> SessionTag {
            ISO7816SessionTag(target, application: [], permission: .all, in: session, round: round)
        }
        switch target {
        case .nfcA(let activation):
            if TagDetection.tagType(of: target).type == .mifareClassic { break }
            let isMiFareProduct = !activation.isISODEP || activation.isDESFire || MiFareFamily(activation) == .plus
            return isMiFareProduct ? MiFareSessionTag(activation, in: session, round: round) : card()
        case .nfcB: return card()
        case .nfcF(let activation):
            return FeliCaSessionTag(
                target, idm: activation.nfcID2, systemCode: activation.systemCode, permission: .all, in: session,
                round: round)
        case .jewel: break
        }
        return SessionTag(target, in: session, round: round)
    }
}
