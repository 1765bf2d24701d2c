// The version that DESFire and NTAG 4xx report — NXP MF3ICDx21_41_81, MF3D(H)x2, MF3D(H)x3, NT4H2421Gx: GetVersion
import Chips

/// The answer to the native GetVersion.
///
/// Layout: 7 bytes for the hardware (vendor, type, subtype, major and minor version, storage size, protocol), 7 for the
/// software, then UID, batch and date.
struct DESFireVersion: Hashable, Sendable {
    /// A family of chips that nfctool handles in the same way.
    enum Family: Hashable, Sendable {
        /// The first DESFire generation, which has no ISO file identifiers.
        case desfireEV0
        /// DESFire EV1 and later.
        case desfire
        /// A chip with fixed applications: NTAG 4xx DNA, DESFire Light.
        case fixed
    }

    let bytes: [UInt8]
    let family: Family
    /// The chip, whose name includes the memory size of a DESFire.
    let chip: Chip

    /// Decodes the answer, or returns `nil` if the answer is too short or the chip is unknown.
    init?(_ answer: [UInt8]) {
        guard answer.count >= 14, let (model, name) = ChipModel.identified(byNativeVersion: answer) else { return nil }
        bytes = answer
        chip = Chip(name: name, evidence: answer, model: model)
        family = model == .desfireEV0 ? .desfireEV0 : model.hasISOFiles ? .desfire : .fixed
    }
}
