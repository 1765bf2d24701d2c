// A Type 2 Tag chip that said what it is, with what the table of chips knows of its memory

import Chips

/// A Type 2 Tag chip whose memory is known: its layout's properties are its own.
@dynamicMemberLookup
struct Type2Chip: Hashable, Sendable {
    typealias Features = Type2Layout.Features

    /// The chip's name and what named it.
    let chip: Chip
    /// Where everything is in its memory.
    let layout: Type2Layout
    /// How it is made an NDEF tag.
    let formatting: Type2Formatting

    /// The chip, `nil` where the table does not know its memory.
    init?(_ chip: Chip) {
        guard let layout = chip.model?.layout, let formatting = chip.model?.formatting else { return nil }
        (self.chip, self.layout, self.formatting) = (chip, layout, formatting)
    }

    /// The chip whose GET_VERSION answer this is, `nil` when it is none whose memory we know.
    init?(version: [UInt8]) {
        guard let chip = Chip(type2Version: version) else { return nil }
        self.init(chip)
    }

    subscript<Value>(dynamicMember member: KeyPath<Type2Layout, Value>) -> Value { layout[keyPath: member] }

    /// The run of existing blocks that `block` is in, or the next one after it.
    func run(from block: Int) -> ClosedRange<Int>? { layout.run(from: block) }

    /// The length of the data area, in units of 8 bytes, in the capability container as delivered.
    var mlen: UInt8 { formatting.dataAreaSize }
    /// The TLVs of the data area as delivered: NXP's Lock Control TLV where the chip has one, and an empty message.
    var deliveredTLVs: [UInt8] { formatting.tlvs }
}
