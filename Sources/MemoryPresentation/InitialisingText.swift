// What initialising does to a blank tag, for people

import ReaderInterface
import TagTypes

extension Target {
    /// What initialising does to the tag, as far as activation tells what it is.
    package var initialisingText: String {
        switch TagDetection.tagType(of: self).type {
        case .type2:
            "To hold a message, a blank tag must be initialised, which sets one-time bits and cannot be undone."
        case .mifareClassic:
            """
            To hold a message, a MIFARE Classic gets a directory and other keys, the public ones for NDEF. Many \
            phones, including all iPhones, do not read it.
            """
        case .type4: "To hold a message, the card gets an NDEF application; everything else on it stays."
        default: "To hold a message, a blank tag must be initialised."
        }
    }
}
