// What DESFire and NTAG 4xx say of themselves — NXP MF3ICDx21_41_81, MF3D(H)x2, MF3D(H)x3, NT4H2421Gx: GetVersion

/// The answer to the native GetVersion.
///
/// Shape: 7 bytes on the hardware (vendor, type, subtype, major and minor version, storage size, protocol), 7 on the
/// software, then UID, batch and date.
struct DESFireVersion: Hashable, Sendable {
    /// What the chip belongs to, as far as it matters here.
    enum Family: Hashable, Sendable {
        /// The first DESFire, which has no ISO file identifiers.
        case desfireEV0
        /// DESFire EV1 and what follows it.
        case desfire
        /// A chip with fixed applications: NTAG 4xx DNA, DESFire Light.
        case fixed
    }

    private static let nxp: UInt8 = 0x04

    let bytes: [UInt8]
    let family: Family
    private let name: String

    /// Decodes the answer; `nil` when it is too short, or of no chip known here.
    init?(_ answer: [UInt8]) {
        guard answer.count >= 14, answer[0] == Self.nxp else { return nil }
        bytes = answer
        // The upper nibble of the type tells the form of delivery.
        switch (answer[1] & 0x0F, answer[3]) {
        case (0x01, 0x00): (family, name) = (.desfireEV0, "MIFARE DESFire")
        case (0x01, 0x01): (family, name) = (.desfire, "MIFARE DESFire EV1")
        case (0x01, 0x12), (0x01, 0x22): (family, name) = (.desfire, "MIFARE DESFire EV2")
        case (0x01, 0x33): (family, name) = (.desfire, "MIFARE DESFire EV3")
        case (0x04, 0x10): (family, name) = (.fixed, "NTAG 413 DNA")
        case (0x04, 0x30): (family, name) = (.fixed, "NTAG 424 DNA")
        case (0x08, _): (family, name) = (.fixed, "MIFARE DESFire Light")
        default: return nil
        }
    }

    /// The chip, with the size of a DESFire: bits 7…1 of the storage byte are its logarithm.
    var chip: Chip {
        let exponent = Int(bytes[5] >> 1)
        let size = family != .fixed && 10...20 ~= exponent ? " \(1 << (exponent - 10))K" : ""
        return Chip(name: name + size, evidence: bytes)
    }
}
