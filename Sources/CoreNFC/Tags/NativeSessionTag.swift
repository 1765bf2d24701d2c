// The tag that an NFCTagReaderSession passes to its delegate, whatever its kind — CoreNFC __NFCTag

import Foundation

protocol NativeSessionTag: SessionTag, __NFCTag {
    var kind: NFCTag { get }
}

extension NativeSessionTag {
    var session: (any NFCReaderSessionProtocol)? { readerSession }

    var type: __NFCTagType {
        switch kind {
        case .feliCa: .feliCa
        case .iso7816: .iso7816Compatible
        case .iso15693: .ISO15693
        case .miFare: .miFare
        }
    }

    func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { if case .iso15693(let tag) = kind { tag } else { nil } }
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { if case .iso7816(let tag) = kind { tag } else { nil } }
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { if case .feliCa(let tag) = kind { tag } else { nil } }
    func asNFCMiFareTag() -> (any NFCMiFareTag)? { if case .miFare(let tag) = kind { tag } else { nil } }
}
