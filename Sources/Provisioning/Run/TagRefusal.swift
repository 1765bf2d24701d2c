// Reasons why a tag gets no row or is not finished. These are reported, and no row is lost by them

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// A tag that is not suitable for a row.
struct TagRefusal: Error {
    let cause: RefusalCause
    let reason: String
    let chip: String?

    /// The tag's UID changes at each power-up, so it does not identify the tag.
    static let randomUID = TagRefusal(
        cause: .wrongChip, reason: "Its UID changes at each power-up, as with phones and passports.", chip: nil)

    /// The tag requires a password for writing.
    static func protected(_ chip: String, _ protection: Protection) -> TagRefusal {
        TagRefusal(
            cause: .passwordNeeded,
            reason:
                "It is protected by a \(protection.secret.rawValue) from block \(protection.rules.first ?? 0) onwards.",
            chip: chip)
    }

    /// The chip needs a key but the row has a password, or the other way round.
    static func otherSecret(_ chip: String, _ protection: Protection) -> TagRefusal {
        TagRefusal(
            cause: .wrongChip,
            reason: "It is \(chip), which needs a \(protection.secret.rawValue), but the row has none.", chip: chip)
    }

    /// Checks what was read from a tag against the requirements of its row.
    static func check(_ reading: TagReading, _ order: TagOrder, mayInitialise: Bool) throws {
        func refuse(_ cause: RefusalCause, _ reason: String) -> TagRefusal {
            TagRefusal(cause: cause, reason: reason, chip: reading.name)
        }
        if let wanted = order.require, !wanted.matches(reading.chip?.model) {
            throw refuse(.wrongChip, "It is \(reading.name), but the row requires \(wanted.name).")
        }
        if order.credential != nil, TagDetection.tagType(of: reading.target).type != .type2 {
            throw refuse(.wrongChip, "It is \(reading.name), which has no password.")
        }
        let state = reading.state
        if state.isBlank, !state.needsOnlyTLV, !mayInitialise {
            throw refuse(.notAgreed, "It is blank, and initialising it cannot be undone.")
        }
        let reason = state.reason.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
        if !state.isBlank, state.status == .notSupported {
            throw refuse(.notNDEF, reason ?? "It has no area for a message.")
        }
        // Checked first, because no option can replace the content of such a tag.
        if state.status == .readOnly, !order.isHeld(by: reading) {
            throw refuse(.readOnly, reason ?? "It is read-only.")
        }
        if let broken = reading.failure, order.overwrite != .always { throw refuse(.brokenMessage, "\(broken)") }
        if !reading.bytes.isEmpty, !reading.isErased, !order.isHeld(by: reading), order.overwrite != .always {
            throw refuse(.foreignContent, "It holds a message of \(reading.bytes.count) bytes that is not the row's.")
        }
        if order.isHeld(by: reading), order.overwrite == .never {
            throw refuse(.sameContent, "It already holds the row's message, but is not in the journal.")
        }
        if order.message.count > state.capacity, state.capacity > 0 {
            throw refuse(.tooLarge, "The row needs \(order.message.count) bytes, but the tag holds \(state.capacity).")
        }
    }
}

/// The meaning of an error for a tag that was to get a row.
struct TagTrouble {
    let cause: RefusalCause
    let message: String
    let chip: String?
    /// Whether a test showed that the tag's lock has no effect or changes the wrong data.
    ///
    /// Another attempt would find the bits set and prove nothing.
    let isFinal: Bool

    /// Classifies an error; nil if the error does not concern the tag.
    init?(_ error: any Error) {
        isFinal = Self.isOfUselessLock(error)
        if let refusal = error as? TagRefusal {
            (cause, message, chip) = (refusal.cause, refusal.reason, refusal.chip)
            return
        }
        guard let failure = error as? any ClassifiedError, let cause = RefusalCause(failure.kind) else { return nil }
        self.cause =
            switch error {
            case _ where isFinal: .uselessLock
            case _ where Self.isWithoutLock(error): .cannotLock
            case is BrokenMessage: .brokenMessage
            case TagError.messageNeedsKey: .dynamicMessage
            case TagError.wrongKey, TagError.factoryKeys: .otherKeys
            default: cause
            }
        (message, chip) = ("\(failure)", nil)
    }

    /// Whether the tag left and may come back.
    var isTagGone: Bool { cause == .tagGone }

    /// Whether the tag broke its specification instead of refusing properly.
    var isOfBrokenRules: Bool { cause == .brokenRules }

    private static func isWithoutLock(_ error: any Error) -> Bool {
        switch error {
        case TagError.cannotMakeReadOnly: true
        case TagError.lockInterrupted(_, _, let cause): isWithoutLock(cause)
        default: false
        }
    }

    /// Whether selecting the tag again may help.
    var isWorthAnotherTry: Bool { (isOfBrokenRules || cause == .brokenMessage) && !isFinal }

    private static func isOfUselessLock(_ error: any Error) -> Bool {
        switch error {
        case TagError.lockInterrupted(_, _, let cause): isOfUselessLock(cause)
        case TagError.lockWithoutEffect, TagError.changedByLock: true
        default: false
        }
    }
}
