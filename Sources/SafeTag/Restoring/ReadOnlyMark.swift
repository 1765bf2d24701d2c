// The read-only mark for readers, which any writer can remove — NFC Forum T3T, RWFlag; T1T, RWA; T5T, write access

import Hexadecimal
import TagImage
import TagTypes

/// A mark that a restore sets or removes, and that makes readers treat the tag as read-only.
package struct ReadOnlyMark: Hashable, Sendable {
    package let block: Int
    /// The current bytes of the block.
    package let old: [UInt8]
    /// The bytes to write to the block.
    package let new: [UInt8]
    /// Whether tags of this kind have no other lock.
    package let isOnlyLock: Bool
    package let isRemoved: Bool

    /// The line that describes the change in a question.
    package var text: String {
        let effect = isRemoved ? "removes the mark that makes the tag" : "marks the tag as"
        return "  write access, block \(block): \(old.hex) becomes \(new.hex): \(effect) read-only for readers"
    }

    /// Creates the mark that these bytes set or remove.
    ///
    /// Returns nil if they change no mark, or only a mark that cannot be removed.
    init?(_ block: MemoryMap.Block, to new: [UInt8], kind: TagImage.Kind) {
        // A FeliCa Lite that is not formatted for NDEF has data in block 0.
        let isFuture = kind == .feliCaLite && block.number == 0 && block.role == .free && BlockRule.areAttributes(new)
        guard block.role == .capabilityContainer || isFuture, let old = block.bytes else { return nil }
        let wasOpen: Bool
        let isOpen: Bool
        switch kind {
        case .type3, .feliCaLite:
            (wasOpen, isOpen) = (isFuture && old != new || BlockRule.allowsWriting(old), BlockRule.allowsWriting(new))
        case .topaz96, .topaz512: (wasOpen, isOpen) = (Self.allowsWriting(old), Self.allowsWriting(new))
        case .type5: (wasOpen, isOpen) = (Self.allowsWritingOfType5(old), Self.allowsWritingOfType5(new))
        // The bits of a Type 2 Tag cannot be cleared, and a MIFARE Classic has no such block.
        case .type2, .type4, .classic: return nil
        }
        guard wasOpen != isOpen else { return nil }
        isRemoved = isOpen
        (self.block, self.old, self.new) = (block.number, old, new)
        isOnlyLock = kind == .type3
    }

    /// Whether a Type 5 Tag allows writing, according to the low two bits of the second byte of its capability
    /// container.
    private static func allowsWritingOfType5(_ container: [UInt8]) -> Bool {
        container.count > 1 && container[1] & 0b11 == 0
    }

    /// Whether a Type 1 Tag allows writing, according to RWA, the fourth byte of its capability container.
    ///
    /// The second digit of RWA is 0 if writing is allowed.
    private static func allowsWriting(_ container: [UInt8]) -> Bool {
        container.count > 3 && container[3] & 0x0F == 0
    }
}
