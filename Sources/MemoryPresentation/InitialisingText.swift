// The effect of initialising a blank tag, for display

import ReaderInterface
package import TagTypes

extension Target {
    /// The effect of initialising the tag, as far as its type is known from the activation.
    package var initialisingText: String { initialisingText(nil) }

    /// Returns a description of the effect of initialising the tag.
    ///
    /// `taken` is the memory that initialising takes up on a card, or nil if it is not known.
    package func initialisingText(_ taken: NDEFState.TakenMemory?) -> String {
        switch TagDetection.tagType(of: self).type {
        case .type2:
            "To hold a message, a blank tag must be initialised, which sets one-time bits and cannot be undone."
        case .mifareClassic:
            """
            To hold a message, a MIFARE Classic gets a directory, and its keys become the public NDEF keys. Many \
            phones, including all iPhones, do not read such a card.
            """
        case .type4:
            """
            To hold a message, the card gets an NDEF application. Its file takes \
            \(taken.map { "\($0.file) of \($0.free) free bytes" } ?? "most of the free memory"), and nfctool cannot free \
            this memory again. Everything else on the card stays the same.
            """
        default: "To hold a message, a blank tag must be initialised."
        }
    }
}
