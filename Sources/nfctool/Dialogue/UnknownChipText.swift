// Whether the read-only mark of a tag or the one-time bits of an unknown chip can be cleared again — NFC Forum T2T,
// Static Lock Bytes; T1T, Lock Bytes

import ReaderInterface
import TagTypes

extension Target {
    /// Whether the specification of the tag's type defines lock bits that can be set but not cleared.
    var hasOneTimeBits: Bool {
        switch TagDetection.tagType(of: self).type {
        case .type1, .type2: true
        default: false
        }
    }

    /// A sentence about a mark that only readers respect, for a tag whose memory is not locked.
    ///
    /// A Type 5 Tag may have locks for blocks, areas or sectors, but nfctool does not use them.
    var markOutlook: String {
        let isVicinity = if case .nfcV = self { true } else { false }
        let reason = isVicinity ? "nfctool does not use the chip's block locks" : "The tag has no lock"
        return "\(reason): tools that ignore this mark can still write to the tag and remove the mark."
    }

    /// Sentences about whether a change to an unknown chip can be undone.
    ///
    /// A MIFARE Ultralight does not identify itself. According to the specification of its type, its lock bits can
    /// never be cleared, but on a compatible chip that looks the same, this may be possible.
    var unknownOutlook: String {
        let tag = TagDetection.tagType(of: self)
        guard hasOneTimeBits, let type = tag.type else { return "nfctool cannot undo it." }
        return "According to the specification of a \(type), these bits can never be cleared, "
            + "but on some compatible chips they can. nfctool cannot undo it."
    }
}
