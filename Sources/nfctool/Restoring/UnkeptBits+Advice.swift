// Advice about one-time bits that were written to a tag but did not stay set

import Hexadecimal
import SafeTag

extension UnkeptBits {
    var advice: String {
        """
        Block \(block) did not keep the bits \(bits.hex); most likely the chip does not have them. \
        Write \(kept.hex) for block \(block) in the dump and restore it.
        """
    }
}
