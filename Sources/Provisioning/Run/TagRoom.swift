// What a tag offers to a row, so that a tag that is too small for one row gets the next row that fits it

import Chips
import ReaderInterface
import SafeTag
import TagTypes

/// What is known about a tag that one row does not fit.
struct TagRoom: Sendable {
    /// The length of the longest message in bytes, or 0 if it is not known.
    private let capacity: Int
    /// The model of the chip, or nil if it did not identify itself.
    private let chip: ChipModel?
    /// Whether the chip was asked for its model.
    private let isChipKnown: Bool
    private let canHavePassword: Bool

    /// Creates the facts about a tag from its reading for an order.
    init(_ reading: TagReading, for order: TagOrder) {
        capacity = reading.state.capacity
        chip = reading.chip?.model
        isChipKnown = chip != nil || order.require != nil
        canHavePassword = TagDetection.tagType(of: reading.target).type == .type2
    }

    /// Whether a row may fit the tag, as far as the tag is known.
    func mayFit(_ order: TagOrder) -> Bool {
        if let wanted = order.require, isChipKnown, !wanted.matches(chip) { return false }
        if order.credential != nil, !canHavePassword { return false }
        return capacity == 0 || order.message.count <= capacity
    }
}
