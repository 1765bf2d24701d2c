// A Type 2 Tag chip that was identified, with its memory layout from the table of chips

import Chips

/// A Type 2 Tag chip whose memory is known.
///
/// The properties of the layout are also properties of the chip.
@dynamicMemberLookup
struct Type2Chip: Hashable, Sendable {
    typealias Features = Type2Layout.Features

    let chip: Chip
    let layout: Type2Layout
    /// The values with which the chip is formatted as an NDEF tag.
    let formatting: Type2Formatting

    /// Creates the chip, or returns `nil` if the table does not contain its memory layout.
    init?(_ chip: Chip) {
        guard let layout = chip.model?.layout, let formatting = chip.model?.formatting else { return nil }
        (self.chip, self.layout, self.formatting) = (chip, layout, formatting)
    }

    /// Creates the chip that a GET_VERSION answer identifies, or returns `nil` if no chip with a known memory matches.
    init?(version: [UInt8]) {
        guard let chip = Chip(type2Version: version) else { return nil }
        self.init(chip)
    }

    subscript<Value>(dynamicMember member: KeyPath<Type2Layout, Value>) -> Value { layout[keyPath: member] }

    /// Returns the run of existing blocks that contains `block`, otherwise the next run after it, or `nil` if there is
    /// none.
    func run(from block: Int) -> ClosedRange<Int>? { layout.run(from: block) }

    /// The size of the data area according to the factory capability container, in units of 8 bytes.
    var mlen: UInt8 { formatting.dataAreaSize }
    /// The factory TLVs of the data area: NXP's Lock Control TLV if the chip has one, and an empty message.
    var deliveredTLVs: [UInt8] { formatting.tlvs }
}
