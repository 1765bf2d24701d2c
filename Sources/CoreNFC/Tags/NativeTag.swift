// The common interface of the tags of an NFCTagReaderSession, under the names from Objective-C's importer — CoreNFC
// __NFCTag

public import Foundation

/// The kinds of tags.
public enum __NFCTagType: UInt, Hashable, Sendable {
    /// ISO/IEC 15693.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case ISO15693 = 1
    /// FeliCa.
    case feliCa = 2
    /// ISO/IEC 7816-4.
    case iso7816Compatible = 3
    /// MIFARE and other ISO/IEC 14443 type A tags.
    case miFare = 4
}

/// The common interface of all kinds of tags.
///
/// Swift code uses ``NFCTag`` instead.
public protocol __NFCTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// The kind of tag.
    var type: __NFCTagType { get }
    /// The session that found the tag.
    var session: (any NFCReaderSessionProtocol)? { get }
    /// Whether the tag can be used.
    ///
    /// False after the tag has left the field, or was disconnected because another tag was connected.
    var isAvailable: Bool { get }
    /// The tag if it is an ISO/IEC 15693 tag, otherwise nil.
    func asNFCISO15693Tag() -> (any NFCISO15693Tag)?
    /// The tag if it is an ISO/IEC 7816-4 tag, otherwise nil.
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)?
    /// The tag if it is a FeliCa card, otherwise nil.
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)?
    /// The tag if it is a MIFARE product, otherwise nil.
    func asNFCMiFareTag() -> (any NFCMiFareTag)?
}
