// The data area that Type 1 and Type 2 Tags have alike — NFC Forum T1T and T2T, NDEF Detection Procedure

import Hexadecimal

/// A capability container of four bytes: magic number, version, size and access, the last of them two nibbles.
protocol TLVCapabilityContainer: Hashable, Sendable {
    var bytes: [UInt8] { get }
}

extension TLVCapabilityContainer {
    static var byteCount: Int { 4 }
    static var magicNumber: UInt8 { 0xE1 }

    var majorVersion: UInt8 { bytes[1] >> 4 }
    var readAccess: UInt8 { bytes[3] >> 4 }
    var writeAccess: UInt8 { bytes[3] & 0x0F }

    /// Why the data area cannot be read, a clause; `nil` when it can.
    var readRefusal: String? {
        if majorVersion != 1 { return "its mapping version is \(bytes[1].hex); only 1x is supported" }
        return readAccess == 0
            ? nil : "its capability container does not allow unrestricted reading (access \(bytes[3].hex))"
    }

    /// Why the data area cannot be written, a clause; `nil` when it can.
    var writeRefusal: String? {
        writeAccess == 0 ? nil : "its capability container does not allow writing (access \(bytes[3].hex))"
    }
}

/// The data area of a tag, or why there is none.
enum TLVArea<Container: TLVCapabilityContainer> {
    case missing(reason: String, isBlank: Bool)
    /// There is a capability container and no NDEF TLV, but data where it would go.
    case occupied
    case present(Container, TLVLayout, TLVLayout.NDEFTLV)

    /// What is in the data area, or the error that says why there is none.
    func parts() throws(TagError) -> (Container, TLVLayout, TLVLayout.NDEFTLV) {
        switch self {
        case .missing(let reason, _): throw .notNDEF(reason: reason)
        case .occupied: throw .notBlank
        case .present(let container, let layout, let ndef): return (container, layout, ndef)
        }
    }
}

extension NDEFState {
    /// Of a tag with data where its NDEF TLV would go.
    static let occupied = NDEFState(
        status: .notSupported, capacity: 0, messageLength: nil,
        reason: "its data area holds no NDEF TLV, but other data in its place")
}

/// Returns when the control TLVs of a data area describe its memory.
///
/// - Throws: ``TagError/cannotMakeReadOnly(reason:)``.
func requireSoundControls(_ layout: TLVLayout) throws(TagError) {
    if let reason = layout.unsoundControls.first { throw .cannotMakeReadOnly(reason: reason) }
}
