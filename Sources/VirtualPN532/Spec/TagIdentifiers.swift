// UIDs of new tags: by serial numbers, or random ones

/// Gives the tags of one list identifiers that differ.
struct TagIdentifiers {
    /// How many serial numbers a kind has.
    private static let serials = 65_536

    private let firstSerial: Int?
    private var serials: [VirtualTagKind: Int] = [:]
    private var taken: Set<[UInt8]> = []

    init(firstSerial: Int?) { self.firstSerial = firstSerial }

    /// A tag with this identifier is in the list.
    mutating func note(_ identifier: [UInt8]) { taken.insert(identifier) }

    /// The next serial number of a kind.
    mutating func nextSerial(of kind: VirtualTagKind) -> Int {
        let serial = serials[kind, default: firstSerial ?? 1]
        serials[kind] = serial + 1
        return serial
    }

    /// A tag to be kept in a new file: with the next free serial number if serial numbers were asked for, else with a
    /// random UID, so that files made at different times differ.
    mutating func newTag(of kind: VirtualTagKind) -> any VirtualTag {
        if firstSerial != nil {
            for _ in 0..<Self.serials {
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
