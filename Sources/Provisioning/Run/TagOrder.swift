// What a row specifies for one tag, with the tag's UID filled in

import Composing
import NDEF
import SafeTag
import TagTypes

/// The content and the settings that a row specifies for one tag.
struct TagOrder: Sendable {
    let row: Int
    /// The bytes of the message, with zero digits in the places that the chip fills in.
    let message: [UInt8]
    /// What the chip mirrors into the message and where, or nil if it mirrors nothing.
    let mirror: MirrorPlacement?
    let seal: RowSeal
    /// The password that the tag gets, or nil if it gets none.
    let credential: Type2Credential?
    let require: RequiredChip?
    let overwrite: RowSettings.Overwrite
    /// The URL that the tag signs, and the tag's keys.
    ///
    /// Nil for other messages.
    let dynamic: DynamicOrder?

    init(_ recipe: RowRecipe, _ row: PlanRow, uid: [UInt8]) throws {
        self.row = row.number
        let order = try recipe.order(for: row)
        let ordered = try order.message(uid: uid)
        message = try ordered.message.encoded()
        mirror = ordered.mirror
        (seal, require, overwrite) = (order.settings.seal, order.settings.require, order.settings.overwrite)
        credential = order.settings.protect ? order.settings.password : nil
        dynamic = try order.dynamic().map { try DynamicOrder($0.layout, $0.recipe, uid: uid) }
    }

    var lock: Bool { seal.lock }

    /// Whether the tag must still be locked or protected after it is verified.
    var wantsSeal: Bool { !seal.isNone }

    /// Whether a tag holds the row's content, including what the chip mirrors.
    func isHeld(by reading: TagReading) -> Bool {
        if let dynamic { return dynamic.objection(to: reading) == nil }
        guard reading.mirror == mirror else { return false }
        return mirror.map { reading.lastingBytes == $0.rest(of: message) } ?? (reading.bytes == message)
    }

    /// Whether a tag holds the row's message, even if the chip does not mirror its content yet.
    func isWritten(on reading: TagReading) -> Bool { reading.bytes == message || isHeld(by: reading) }

    /// Whether a tag's content may be that of the row.
    ///
    /// If the chip mirrors content to a wrong place, the message cannot be recognised. In that case, any message may be
    /// that of the row.
    func mayBeHeld(by reading: TagReading) -> Bool {
        isWritten(on: reading) || (mirror != nil && !reading.bytes.isEmpty)
    }
}

extension TagReading {
    /// Whether a tag that can hold a message is empty: it has no message, or one with only empty records.
    var isErased: Bool {
        !state.isBlank && state.status != .notSupported && bytes.isEmpty
            || !message.records.isEmpty && message.records.allSatisfy { $0.tnf == .empty }
    }

    /// Whether a tag that held a row is empty now: it was erased, or reset to the format in which it was delivered.
    ///
    /// A Type 2 Tag never loses its capability container, which has one-time bits. A blank Type 2 Tag is therefore
    /// another chip.
    var isEmptied: Bool {
        isErased || state.isBlank && (state.needsOnlyTLV || TagDetection.tagType(of: target).type != .type2)
    }
}
