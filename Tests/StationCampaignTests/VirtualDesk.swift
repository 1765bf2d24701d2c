// A virtual reader with an operator who places one tag after the other and stores each in a file

import Foundation
import VirtualPN532

/// The reader of a station, which is in the test's process, so that the tags survive the station.
actor VirtualDesk {
    nonisolated let connection: String
    private let reader: VirtualReader
    private let number: Int
    private let folder: String
    private var serial = 0
    private var current: VirtualType2Tag?
    /// The tag that was removed before the present one.
    ///
    /// A station that is killed while the database is away may have left its row unfinished. Nil if no tag was removed
    /// yet.
    private var last: VirtualType2Tag?
    /// The tags to be placed again.
    private var pile: [VirtualType2Tag] = []

    /// Opens a virtual reader.
    ///
    /// The number of the desk makes its tags differ from those of other desks. Tags that were removed are stored in the
    /// folder as dump files.
    init(_ number: Int, keepingTagsIn folder: String) throws {
        reader = try VirtualReader()
        connection = reader.connection
        (self.number, self.folder) = (number, folder)
    }

    deinit { reader.stop() }

    /// Places the current and the last tag again, because the station has opened this reader.
    func begin() {
        if let current {
            reader.field.remove(identifier: current.identifier)
            pile.append(current)
        }
        if let last { pile.append(last) }
        last = nil
        placeNext()
    }

    /// Reacts to what the station has reported about a tag.
    func hear(_ event: String, of uid: String) throws {
        guard let tag = current, tag.uid == uid else { return }
        switch event {
        case "row", "known":
            try takeOff(tag)
            last = tag
            placeNext()
        case "cut":
            // Place the tag again.
            reader.field.remove(identifier: tag.identifier)
            reader.field.place(tag)
        default: break
        }
    }

    func end() throws {
        if let current { try takeOff(current) }
        for tag in pile { try keep(tag) }
    }

    private func placeNext() {
        if let tag = pile.popLast() { return place(tag) }
        serial += 1
        let parts = [number >> 8, number, serial >> 16, serial >> 8, serial].map { UInt8($0 & 0xFF) }
        // The cascade tag 88 cannot begin the second level of a UID — ISO/IEC 14443-3.
        let uid = [0x04, 0x10, parts[0]] + [parts[1] & 0x7F] + parts[2...]
        guard let tag = VirtualTagKind.ntag213.make(uid: uid) as? VirtualType2Tag else { return }
        place(tag)
    }

    private func place(_ tag: VirtualType2Tag) {
        current = tag
        reader.field.place(tag)
    }

    private func takeOff(_ tag: VirtualType2Tag) throws {
        reader.field.remove(identifier: tag.identifier)
        try keep(tag)
        current = nil
    }

    private func keep(_ tag: VirtualType2Tag) throws {
        try Data(tag.flipperText.utf8).write(to: URL(filePath: "\(folder)/\(tag.uid).nfc"))
    }
}

extension VirtualType2Tag {
    fileprivate var uid: String {
        identifier.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
