// What tags hold — NXP and Broadcom data sheets; AN1304, AN11004
import Chips

/// The longest message of a kind of tag, as nfctool formats it.
public struct TagCapacity: Hashable, Sendable {
    /// The chip's name.
    public let chip: String
    /// The length of the longest message, in bytes.
    public let capacity: Int

    /// The tags people buy, the smallest first: those that the table of chips lists.
    public static let table =
        ChipModel.all.filter(\.isListed)
        .compactMap { model in model.capacity.map { TagCapacity(chip: model.listedName, capacity: $0) } }
        .sorted { $0.capacity < $1.capacity }
}

/// Whether a message fits a kind of tag.
public struct TagFit: Hashable, Sendable {
    /// The tag.
    public let tag: TagCapacity
    /// The bytes left over; negative, the bytes too many.
    public let spare: Int
    /// Whether it fits.
    public var fits: Bool { spare >= 0 }

    /// All tags of the table, with what is left of each by a message of this length.
    public static func all(forLength length: Int) -> [TagFit] {
        TagCapacity.table.map { TagFit(tag: $0, spare: $0.capacity - length) }
    }
}
