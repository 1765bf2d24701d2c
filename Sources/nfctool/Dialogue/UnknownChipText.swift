// Whether the one-time bits of an unknown chip can be cleared again — NFC Forum T2T, Static Lock Bytes; T1T, Lock Bytes

import ReaderInterface
import TagTypes

extension Target {
    /// Whether the type of the tag defines lock bits that can only be set.
    var hasOneTimeBits: Bool {
        switch TagDetection.tagType(of: self).type {
        case .type1, .type2: true
        default: false
        }
    }

    /// The outlook on a change to a chip that is not known, in sentences.
    ///
    /// A MIFARE Ultralight does not identify itself. Setting one of its bits is irreversible, as the type demands, but a
    /// copy that looks the same may clear it.
    var unknownOutlook: String {
        let tag = TagDetection.tagType(of: self)
        guard hasOneTimeBits, let type = tag.type else { return "This tool cannot undo it." }
        return "By the specification of a \(type), these bits can never be cleared; "
            + "only some copies of chips clear them. This tool cannot undo it."
    }
}
