// The reasons why a tag gets no row or is not finished. They are reported, and a refused tag uses up no row

import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// The reason why a tag is not suitable for a row.
struct TagRefusal: Error {
    let cause: RefusalCause
    let reason: String
    let chip: String?
    /// The chip and capacity of the tag if another row may fit it, or nil if no row can.
    var room: TagRoom?
    /// What the tag holds if this may be the message of another row.
    var content: TagReading?

    /// Whether the tag may get another row.
    var allowsOtherRow: Bool { room != nil || content != nil }

    /// Whether the tag may get this row: it may fit the tag, or the tag already holds its message.
    func permits(_ order: TagOrder) -> Bool { room?.mayFit(order) ?? content.map(order.isHeld) ?? false }

    /// The refusal of a tag whose UID changes at each power-up and therefore does not identify the tag.
    static let randomUID = TagRefusal(
        cause: .wrongChip, reason: "Its UID changes at each power-up, as with phones and passports.", chip: nil)

    static func protected(_ chip: String, _ protection: Protection) -> TagRefusal {
        TagRefusal(
            cause: .passwordNeeded,
            reason:
                "It is protected by a \(protection.secret.rawValue) from block \(protection.rules.first ?? 0) onwards.",
            chip: chip)
    }

    /// Creates the refusal of a tag that needs the other kind of secret: a key although the row has a password, or vice
    /// versa.
    static func otherSecret(_ chip: String, _ protection: Protection) -> TagRefusal {
        TagRefusal(
            cause: .wrongChip,
            reason: "It is \(chip), which needs a \(protection.secret.rawValue), but the row has none.", chip: chip)
    }

    /// Returns this refusal with the row of another tag whose message the tag holds.
    func naming(_ known: JournalRow) -> TagRefusal {
        let fact = known.wordsForOtherTag
        return cause == .readOnly
            ? TagRefusal(cause: cause, reason: "\(reason) \(fact)", chip: chip)
            : TagRefusal(cause: .rowTaken, reason: fact, chip: chip)
    }

    /// Checks whether a tag meets the requirements of its row, according to what was read from the tag.
    static func check(_ reading: TagReading, _ order: TagOrder, mayInitialise: Bool) throws {
        func refuse(_ cause: RefusalCause, _ reason: String) -> TagRefusal {
            TagRefusal(cause: cause, reason: reason, chip: reading.name)
        }
        func misfit(_ cause: RefusalCause, _ reason: String) -> TagRefusal {
            TagRefusal(cause: cause, reason: reason, chip: reading.name, room: TagRoom(reading, for: order))
        }
        func foreign(_ cause: RefusalCause, _ reason: String) -> TagRefusal {
            TagRefusal(cause: cause, reason: reason, chip: reading.name, content: reading)
        }
        if let wanted = order.require, !wanted.matches(reading.chip?.model) {
            throw misfit(.wrongChip, "It is \(reading.name), but row \(order.row) requires \(wanted.name).")
        }
        if order.credential != nil, TagDetection.tagType(of: reading.target).type != .type2 {
            throw misfit(.wrongChip, "It is \(reading.name), which has no password, but row \(order.row) needs one.")
        }
        let state = reading.state
        if state.isBlank, !state.needsOnlyTLV, !mayInitialise {
            throw refuse(.notAgreed, "It is blank, and initialising it cannot be undone.")
        }
        let reason = state.reason.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        if !state.isBlank, state.status == .notSupported {
            throw refuse(.notNDEF, reason ?? "It has no area for a message.")
        }
        // Check this before `--overwrite`, because no option allows replacing the content of such a tag.
        if state.status == .readOnly, !order.isHeld(by: reading) {
            throw foreign(.readOnly, reason ?? "It is read-only.")
        }
        if let broken = reading.failure, order.overwrite != .always { throw refuse(.brokenMessage, "\(broken)") }
        if !reading.bytes.isEmpty, !reading.isErased, !order.isHeld(by: reading), order.overwrite != .always {
            throw foreign(
                .foreignContent, "It holds a message of \(ByteCount(reading.bytes.count)) that is not the row's.")
        }
        if order.isHeld(by: reading), order.overwrite == .never {
            throw refuse(
                .sameContent, "It already holds the message of row \(order.row), but is not in the journal.")
        }
        // A journal that is built again without an option would report a tag as unlocked or unprotected that is not.
        if order.isHeld(by: reading), order.overwrite == .same, state.status == .readOnly {
            if state.needsPassword, order.credential == nil {
                throw refuse(.passwordNeeded, order.isProtectedByEarlierPlan)
            } else if !state.needsPassword, !order.lock {
                throw refuse(
                    .readOnly,
                    "It holds the message of row \(order.row) and is read-only, but this plan does not lock its tag. If an earlier run locked it, start again with --lock."
                )
            }
        }
        if order.message.count > state.capacity, state.capacity > 0 {
            throw misfit(
                .tooLarge, "Row \(order.row) needs \(order.message.count) bytes, but the tag holds \(state.capacity).")
        }
    }
}

extension TagOrder {
    /// The reason why a tag that holds the row's message is refused because of its password.
    var isProtectedByEarlierPlan: String {
        "It holds the message of row \(row) and requires a password, but this plan does not protect its tag. If an earlier run protected it, start again with --protect."
    }
}
