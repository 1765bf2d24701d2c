// What DESFire and NTAG 4xx say of themselves — NXP MF3ICDx21_41_81, MF3D(H)x2, MF3D(H)x3, NT4H2421Gx: GetVersion
import Chips

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

    let bytes: [UInt8]
    let family: Family
    /// The chip, with the size of a DESFire in its name.
    let chip: Chip

    /// Decodes the answer; `nil` when it is too short, or of no chip known here.
    init?(_ answer: [UInt8]) {
        guard answer.count >= 14, let (model, name) = ChipModel.identified(byNativeVersion: answer) else { return nil }
        bytes = answer
        chip = Chip(name: name, evidence: answer, model: model)
        family = model == .desfireEV0 ? .desfireEV0 : model.hasISOFiles ? .desfire : .fixed
    }
}
