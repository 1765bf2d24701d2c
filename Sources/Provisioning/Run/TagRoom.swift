// The capacity and chip of a tag, so that a tag that is too small for one row gets the next row that fits

import Chips
import ReaderInterface
import SafeTag
import TagTypes

/// The known properties of a tag that one row does not fit.
struct TagRoom: Sendable {
    /// The length of the longest message in bytes, or 0 if it is not known.
    private let capacity: Int
    /// The model of the chip, or nil if it did not identify itself.
    private let chip: ChipModel?
    /// Whether the chip was asked for its model.
    private let isChipKnown: Bool
    private let canHavePassword: Bool

    /// Determines the properties of a tag that was read for an order.
    init(_ reading: TagReading, for order: TagOrder) {
        capacity = reading.state.capacity
        chip = reading.chip?.model
        isChipKnown = chip != nil || order.require != nil
        canHavePassword = TagDetection.tagType(of: reading.target).type == .type2
    }

    /// Whether a row may fit the tag, as far as its properties are known.
    func mayFit(_ order: TagOrder) -> Bool {
        if let wanted = order.require, isChipKnown, !wanted.matches(chip) { return false }
        if order.credential != nil, !canHavePassword { return false }
        return capacity == 0 || order.message.count <= capacity
    }
}
