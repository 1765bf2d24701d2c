// What to do about one-time bits that a tag does not keep

import Hexadecimal
import SafeTag

extension UnkeptBits {
    /// What to do, in sentences.
    var advice: String {
        """
        Block \(block) did not keep the bits \(bits.hex); most likely the chip does not have them. \
        Write \(kept.hex) for block \(block) in the dump and restore it.
        """
    }
}
