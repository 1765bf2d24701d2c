// The capacity and chip of a tag. A tag that is too small for one row gets the next row that fits

import Chips
import ReaderInterface
import SafeTag
import TagTypes

/// The properties of a tag that decide which rows may fit it.
struct TagRoom: Sendable {
    /// The maximum length of a message in bytes, or 0 if it is not known.
    private let capacity: Int
    /// The model of the chip, or nil if the chip did not identify itself.
    private let chip: ChipModel?
    /// Whether the chip was asked for its model.
    private let isChipKnown: Bool
    private let canHavePassword: Bool

    init(_ reading: TagReading, for order: TagOrder) {
        capacity = reading.state.capacity
        chip = reading.chip?.model
        isChipKnown = chip != nil || order.require != nil
        canHavePassword = TagDetection.tagType(of: reading.target).type == .type2
    }

    /// Whether a row may fit the tag.
    ///
    /// Properties that are not known do not exclude a row.
    func mayFit(_ order: TagOrder) -> Bool {
        if let wanted = order.require, isChipKnown, !wanted.matches(chip) { return false }
        if order.credential != nil, !canHavePassword { return false }
        return capacity == 0 || order.message.count <= capacity
    }
}
