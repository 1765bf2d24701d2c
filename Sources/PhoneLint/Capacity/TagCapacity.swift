// The capacities of tags — NXP and Broadcom data sheets; AN1304, AN11004
import Chips

/// The maximum message length of a kind of tag, as formatted by nfctool.
public struct TagCapacity: Hashable, Sendable {
    /// The chip's name.
    public let chip: String
    /// The maximum message length in bytes.
    public let capacity: Int

    /// The common tags, smallest first: those that the chip table marks as listed.
    public static let table =
        ChipModel.all.filter(\.isListed)
        .compactMap { model in model.capacity.map { TagCapacity(chip: model.listedName, capacity: $0) } }
        .sorted { $0.capacity < $1.capacity }
}

/// Whether a message fits a kind of tag.
public struct TagFit: Hashable, Sendable {
    /// The tag.
    public let tag: TagCapacity
    /// The number of bytes that stay free.
    ///
    /// If negative, this is the number of missing bytes.
    public let spare: Int
    /// Whether the message fits.
    public var fits: Bool { spare >= 0 }

    /// Returns all tags in the table, each with the space that a message of this length leaves.
    public static func all(forLength length: Int) -> [TagFit] {
        TagCapacity.table.map { TagFit(tag: $0, spare: $0.capacity - length) }
    }
}
