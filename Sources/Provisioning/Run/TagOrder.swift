// What one tag is to become: a row's order with this tag's UID in it

import Composing
import NDEF
import SafeTag
import TagTypes

/// What a row orders for one tag.
struct TagOrder: Sendable {
    /// The message's bytes, with `0` in the places of what the chip shows.
    let message: [UInt8]
    /// What the chip shows, and where.
    let mirror: MirrorPlacement?
    /// How the tag is closed once it is verified.
    let seal: RowSeal
    /// The password the tag gets; nil for none.
    let credential: Type2Credential?
    let require: RequiredChip?
    let overwrite: RowSettings.Overwrite
    /// The URL that the tag signs, and its keys; nil for other messages.
    let dynamic: DynamicOrder?

    init(_ recipe: RowRecipe, _ row: PlanRow, uid: [UInt8]) throws {
        let order = try recipe.order(for: row)
        let ordered = try order.message(uid: uid)
        message = try ordered.message.encoded()
        mirror = ordered.mirror
        (seal, require, overwrite) = (order.settings.seal, order.settings.require, order.settings.overwrite)
        credential = order.settings.protect ? order.settings.password : nil
        dynamic = try order.dynamic().map { try DynamicOrder($0.layout, $0.recipe, uid: uid) }
    }

    /// Whether the tag is locked.
    var lock: Bool { seal.lock }

    /// Whether the row is not done when it is proven.
    var wantsSeal: Bool { !seal.isNone }

    /// Whether a tag holds what the row wants, and shows what it is to show.
    func isHeld(by reading: TagReading) -> Bool {
        if let dynamic { return dynamic.objection(to: reading) == nil }
        guard reading.mirror == mirror else { return false }
        return mirror.map { reading.lastingBytes == $0.rest(of: message) } ?? (reading.bytes == message)
    }

    /// Whether a tag holds the row's message, and perhaps does not show yet what it is to show.
    func isWritten(on reading: TagReading) -> Bool { reading.bytes == message || isHeld(by: reading) }

    /// Whether what a tag holds may be of the row: what a chip shows in the wrong place can look like anything.
    func mayBeHeld(by reading: TagReading) -> Bool {
        isWritten(on: reading) || (mirror != nil && !reading.bytes.isEmpty)
    }
}

extension TagReading {
    /// Whether a tag has a place for a message, and nothing in it: no message, or one whose records are all empty.
    var isErased: Bool {
        !state.isBlank && state.status != .notSupported && bytes.isEmpty
            || !message.records.isEmpty && message.records.allSatisfy { $0.tnf == .empty }
    }
}
