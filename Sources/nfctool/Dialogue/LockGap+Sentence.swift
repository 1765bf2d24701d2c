// Sentences about what can still be changed after a lock — Docs/Tags.md

import Chips
import TagTypes

extension LockGap {
    /// The sentence about this gap in the question before a lock.
    var sentence: String {
        switch self {
        case .configuration(let open):
            let secret = open.usesKey ? "key" : "password"
            let mirror = open.canMirror ? ", or show its UID over part of the message" : ""
            let (first, last) = (open.blocks.lowerBound, open.blocks.upperBound)
            return "The configuration in blocks \(first) to \(last) stays open: anyone can still "
                + "make the tag require a \(secret) to read it\(mirror)."
        case .backdoor:
            return "The card is a copy (generation 1a): anyone can still write every block through its backdoor."
        case .i2c:
            return "A microcontroller on the I²C side of the chip can still write the message and clear these bits."
        case .silencing(let ways):
            let verbs = ways.map(\.verb).joined(separator: " or ")
            return "The lock does not cover the commands that \(verbs) the tag. Anyone can use them until their "
                + "passwords are changed. nfctool does not change these passwords."
        }
    }
}

extension ChipModel.Silencing {
    fileprivate var verb: String {
        switch self {
        case .hide: "hide"
        case .destroy: "destroy"
        }
    }
}
