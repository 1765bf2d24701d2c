// UIDs of new tags, either random or derived from serial numbers

/// Assigns different identifiers to the tags of one list, or to those that are placed on one reader.
struct TagIdentifiers {
    /// The number of serial numbers that give different identifiers.
    private static let serials = 65_536

    private let firstSerial: Int?
    private var serials: [VirtualTagKind: Int] = [:]
    private var taken: Set<[UInt8]> = []

    init(firstSerial: Int?) { self.firstSerial = firstSerial }

    /// Records that a tag already has this identifier.
    mutating func note(_ identifier: [UInt8]) { taken.insert(identifier) }

    mutating func nextSerial(of kind: VirtualTagKind) -> Int {
        let serial = serials[kind, default: firstSerial ?? 1]
        serials[kind] = serial + 1
        return serial
    }

    /// Creates a tag for a new file, or a tag that is placed later.
    ///
    /// If serial numbers were requested, the tag gets the next free one, until each was used once. Otherwise it gets a
    /// random UID, so that files created at different times differ.
    mutating func newTag(of kind: VirtualTagKind) -> any VirtualTag {
        if let firstSerial {
            while serials[kind, default: firstSerial] < firstSerial + Self.serials {
                let tag = kind.make(serial: nextSerial(of: kind))
                if taken.insert(tag.identifier).inserted { return tag }
            }
        }
        while true {
            let tag = kind.make(uid: kind.randomUID())
            if taken.insert(tag.identifier).inserted { return tag }
        }
    }
}
