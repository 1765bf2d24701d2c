// Conversion between libnfc's nfc_target, a C union, and Target — libnfc 1.8 nfc-types.h

import Clibnfc
import ReaderInterface

extension Technology {
    /// libnfc's modulation for one poll with this technology.
    ///
    /// Nil for a technology that a PN53x does not support.
    var modulation: nfc_modulation? {
        switch self {
        case .nfcA: nfc_modulation(nmt: NMT_ISO14443A, nbr: NBR_106)
        case .nfcB: nfc_modulation(nmt: NMT_ISO14443B, nbr: NBR_106)
        case .nfcF: nfc_modulation(nmt: NMT_FELICA, nbr: NBR_212)
        case .jewel: nfc_modulation(nmt: NMT_JEWEL, nbr: NBR_106)
        case .nfcV: nil
        }
    }
}

extension Target {
    /// Converts the data that libnfc stored for the modulation of its poll.
    ///
    /// Returns nil if a length is impossible.
    init?(_ target: nfc_target) {
        switch target.nm.nmt {
        case NMT_ISO14443A:
            let info = target.nti.nai
            // CVE-2026-31622: a UID with too many bytes was accepted. ISO/IEC 14443-3 allows 4, 7 or 10 bytes.
            guard [4, 7, 10].contains(info.szUidLen), info.szAtsLen <= MemoryLayout.size(ofValue: info.abtAts) else {
                return nil
            }
            self = .nfcA(
                NFCATarget(
                    sensRes: bytes(of: info.abtAtqa), selRes: info.btSak,
                    nfcID1: bytes(of: info.abtUid, count: info.szUidLen),
                    ats: bytes(of: info.abtAts, count: info.szAtsLen)))
        case NMT_ISO14443B:
            let info = target.nti.nbi
            self = .nfcB(
                NFCBTarget(
                    nfcID0: bytes(of: info.abtPupi), applicationData: bytes(of: info.abtApplicationData),
                    protocolInfo: bytes(of: info.abtProtocolInfo)))
        case NMT_FELICA:
            let info = target.nti.nfi
            self = .nfcF(
                NFCFTarget(
                    nfcID2: bytes(of: info.abtId), pad: bytes(of: info.abtPad), systemCode: bytes(of: info.abtSysCode)))
        case NMT_JEWEL:
            let info = target.nti.nji
            self = .jewel(JewelTarget(sensRes: bytes(of: info.btSensRes), uid: bytes(of: info.btId)))
        default:
            return nil
        }
    }

    /// The initiator data with which libnfc selects this target again.
    ///
    /// It is the UID for NFC-A, and empty for other technologies, which libnfc polls with its defaults.
    var selectionData: [UInt8] {
        if case .nfcA(let target) = self { target.nfcID1 } else { [] }
    }
}

/// Returns the first `count` bytes of a C array, which Swift imports as a tuple.
private func bytes<Tuple>(of tuple: Tuple, count: Int = MemoryLayout<Tuple>.size) -> [UInt8] {
    withUnsafeBytes(of: tuple) { Array($0.prefix(count)) }
}
