// The data area that Type 1 and Type 2 Tags share — NFC Forum T1T and T2T, NDEF Detection Procedure

import Hexadecimal

/// A capability container of four bytes: the magic number, the version, the size, and the two access nibbles.
protocol TLVCapabilityContainer: Hashable, Sendable {
    var bytes: [UInt8] { get }
}

extension TLVCapabilityContainer {
    static var byteCount: Int { 4 }
    static var magicNumber: UInt8 { 0xE1 }

    var majorVersion: UInt8 { bytes[1] >> 4 }
    var readAccess: UInt8 { bytes[3] >> 4 }
    var writeAccess: UInt8 { bytes[3] & 0x0F }

    /// The reason, as a clause, why the data area cannot be read, or `nil` if it can be read.
    var readRefusal: String? {
        if majorVersion != 1 { return "its mapping version is \(bytes[1].hex); only 1x is supported" }
        return readAccess == 0
            ? nil : "its capability container does not allow unrestricted reading (access \(bytes[3].hex))"
    }

    /// The reason, as a clause, why the data area cannot be written, or `nil` if it can be written.
    var writeRefusal: String? {
        writeAccess == 0 ? nil : "its capability container does not allow writing (access \(bytes[3].hex))"
    }
}

/// The data area of a tag, or the reason why there is none.
enum TLVArea<Container: TLVCapabilityContainer> {
    case missing(reason: String, isBlank: Bool)
    /// The tag has a capability container and no NDEF TLV, but other data in the place of that TLV.
    case occupied
    case present(Container, TLVLayout, TLVLayout.NDEFTLV)

    /// Returns the parts of the data area, or throws the error that explains why there is none.
    func parts() throws(TagError) -> (Container, TLVLayout, TLVLayout.NDEFTLV) {
        switch self {
        case .missing(let reason, _): throw .notNDEF(reason: reason)
        case .occupied: throw .notBlank
        case .present(let container, let layout, let ndef): return (container, layout, ndef)
        }
    }
}

extension NDEFState {
    static let occupied = NDEFState(
        status: .notSupported, capacity: 0, messageLength: nil,
        reason: "its data area holds no NDEF TLV, but other data in its place")
}

/// Checks that the control TLVs of a data area describe its memory correctly.
///
/// - Throws: ``TagError/cannotMakeReadOnly(reason:)``.
func requireSoundControls(_ layout: TLVLayout) throws(TagError) {
    if let reason = layout.unsoundControls.first { throw .cannotMakeReadOnly(reason: reason) }
}
