// Errors from operations on a tag, with a case for each way in which a caller may react
import Hexadecimal
public import ReaderInterface

/// An error from an operation on a tag.
public indirect enum TagError: Error, Hashable, Sendable {
    /// The contents of a tag after an interrupted write.
    public enum Contents: Hashable, Sendable {
        /// The old message.
        case unchanged
        /// The old message, in which the chip no longer shows its UID or counter.
        case unchangedWithoutMirror
        /// An empty message.
        case empty
        /// The new message.
        case new
        /// The old message, a part of it, or no message, because the tag left while the message length was being set to
        /// zero.
        case unchangedOrEmpty
        /// The new message or no message, because the tag left while the message length was being set.
        case emptyOrNew
        /// The old or the new message, because the tag left during the single write that replaces one with the other.
        case unchangedOrNew
    }

    /// The reader or the radio link failed. No message on the tag was changed.
    case reader(ReaderError)
    /// The tag has no NDEF area. `reason` is a clause. `hasForeignDirectory` is true for a MIFARE Classic that has no
    /// directory of a known version and can be erased as a whole.
    case notNDEF(reason: String, hasForeignDirectory: Bool = false)
    /// The tag does not allow writing. `reason` is a clause. Nothing was changed. `mayBeRestored` is true for types of
    /// tag whose read-only mark can be removed, so that restoring a dump may make the tag writable again.
    case readOnly(reason: String, mayBeRestored: Bool = false)
    /// The message does not fit on the tag. The lengths are in bytes. Nothing was changed.
    case tooLong(length: Int, capacity: Int)
    /// The message does not fit next to the old one. The lengths are in bytes. Nothing was changed.
    case noRoomBeside(length: Int, room: Int)
    /// A field in the tag's memory or in its answer violates the specification. `offset` is the byte address of the
    /// field, or `nil` if the field has none.
    case protocolViolation(field: String, found: String, expected: String, offset: Int?)
    /// The tag is present, but it did not answer a command reliably despite retries. `offset` is the byte address in
    /// the command, or `nil` if there is none. This error does not show what the tag holds or allows.
    case noReliableAnswer(command: String, offset: Int?)
    /// The tag refused a command, or acknowledged it without carrying it out. `sw` is SW1 SW2 of an R-APDU, or `nil`
    /// for a NAK. `offset` is the byte address in the command, or `nil` if there is none.
    case commandFailed(command: String, offset: Int?, sw: UInt16?)
    /// A FeliCa card refused a command. `block` is the first block in the command, or `nil` if there is none.
    case refused(command: String, block: Int?, status: FeliCaStatus)
    /// This block of a Type 2 Tag requires a password for reading or writing.
    case passwordNeeded(block: Int)
    /// This block of a Type 5 Tag requires a password, but the passwords of the chip are not supported.
    case passwordUnsupported(block: Int)
    /// A sector of a MIFARE Classic requires a key that was not given and is not a well-known one.
    case keyNeeded(sector: Int)
    /// A sector of a MIFARE Classic accepts its key but refuses every READ, because its access bits are invalid. This
    /// is permanent.
    case sectorBlocked(sector: Int)
    /// An NTAG 424 DNA fills in its message itself with Secure Dynamic Messaging (`isDynamic` is true), or requires a
    /// key for writing the message. Nothing was changed.
    case messageNeedsKey(isDynamic: Bool)
    /// When the message was read back, a byte differed from what was written. The message length was left at zero,
    /// unless the length itself differs, or the message replaced the old one in a single step. `offset` is the offset
    /// of the byte in the message.
    case verificationFailed(offset: Int)
    /// A write ended early. `written` is the number of message bytes that were written, and `of` is the length of the
    /// message.
    case writeInterrupted(contents: Contents, written: Int, of: Int, cause: TagError)
    /// Making the tag read-only ended early. The steps in `done` were carried out. Each step in `missing` was not
    /// carried out or could not be verified.
    case lockInterrupted(done: [String], missing: [String], cause: TagError)
    /// The tag's key with this number differs from the given one. The tag counts such attempts. Nothing else was
    /// changed.
    case wrongKey(number: Int)
    /// The tag still has its factory keys, but other keys were given. Nothing was changed.
    case factoryKeys
    /// The password or key is wrong. `remaining` is the maximum number of further wrong attempts before the tag closes
    /// permanently; `count(0)` means that it is closed. The contents of the tag were not changed, but the tag may have
    /// counted the attempt, unless `remaining` is `none`.
    case wrongPassword(remaining: Type2AttemptLimit)
    /// The tag accepted the password, but its PACK differs from the given one. Nothing was changed.
    case foreignPACK
    /// The tag counts wrong passwords, so the password was not sent without consent. Nothing was changed.
    case passwordAtRisk(limit: Type2AttemptLimit)
    /// The answer to a password was lost, and the tag may count wrong ones. It is not known whether the tag accepted
    /// the password or counted it as wrong. The password was sent once. Nothing was changed.
    case passwordUnanswered
    /// A change of password protection ended early. The steps in `done` were verified. Each step in `missing` was not
    /// carried out or could not be verified.
    case protectionInterrupted(done: [String], missing: [String], cause: TagError)
    /// The tag has changed since the lock was planned: `place` now holds the bytes in `found` instead of those in
    /// `expected`. Nothing was changed.
    case changedSincePlanned(place: String, found: [UInt8], expected: [UInt8])
    /// The lock bits are set, but `place`, which they should lock, can still be written.
    case lockWithoutEffect(place: String)
    /// `place`, which contains no lock bits, held other bytes after locking than before.
    case changedByLock(place: String)
    /// The tag cannot be made read-only. `reason` is a clause. Nothing was changed.
    case cannotMakeReadOnly(reason: String)
    /// The tag already has an NDEF area, or other data in the place of that area. Nothing was changed.
    case notBlank
    /// The operation is not possible on this kind of tag. `reason` is a clause. Nothing was changed.
    case unsupported(reason: String)
}

extension TagError {
    /// Whether the reader or the radio link failed, so that nothing is known about the tag.
    public var isOfConnection: Bool {
        switch self {
        case .reader(.notInFile): false
        case .reader, .noReliableAnswer: true
        default: false
        }
    }
}

extension TagError {
    /// Returns the clause that explains why a sector cannot be used; see ``sectorBlocked(sector:)``.
    package static func blockedReason(_ sector: Int) -> String {
        "sector \(sector) is blocked permanently, because its access bits are invalid"
    }
}

extension TagError: CustomStringConvertible {
    /// A description of what happened and why, in sentences and without advice.
    public var description: String {
        switch self {
        case .reader(let error): error.description
        case .notNDEF(let reason, _): "The tag holds no NDEF data: \(reason)."
        case .readOnly(let reason, _): "The tag is read-only: \(reason)."
        case .tooLong(let length, let capacity): "The message needs \(length) bytes; this tag holds \(capacity)."
        case .noRoomBeside(let length, let room):
            "The message needs \(length) bytes; with the old message kept, this tag has room for \(room)."
        case .protocolViolation(let field, let found, let expected, let offset):
            "The tag violates its specification: \(field)\(Self.place(offset)) is \(found); expected \(expected)."
        case .commandFailed(let command, let offset, let sw?):
            "The tag refused \(command)\(Self.place(offset)) with SW \(sw.hex) (\(StatusWord(sw).meaning))."
        case .commandFailed(let command, let offset, nil):
            "The tag did not execute \(command)\(Self.place(offset))."
        case .noReliableAnswer(let command, let offset):
            "The tag gave no reliable answer to \(command)\(Self.place(offset)). The connection is too weak."
        case .refused(let command, let block, let status):
            "The card refused \(command)\(block.map { " of block \($0)" } ?? "") with status flags "
                + "\([status.flag1, status.flag2].spacedHex) (\(status.meaning))."
        case .passwordNeeded(let block): "Block \(block) is protected by a password."
        case .passwordUnsupported(let block):
            "Block \(block) is protected by a password. The passwords of this chip are not supported."
        case .keyNeeded(let sector): "Sector \(sector) of the tag needs a key that is not known."
        case .sectorBlocked(let sector):
            "Sector \(sector) of the card is blocked permanently: it accepts its key, but refuses every READ, because "
                + "its access bits are invalid. No key and no tool can open it."
        case .messageNeedsKey(isDynamic: true):
            "The tag fills in its message itself (Secure Dynamic Messaging) and would change what is written. "
                + "Turning this off needs its keys."
        case .messageNeedsKey: "The tag's message can only be written with one of its keys."
        case .verificationFailed(let offset):
            "The tag does not hold what was written: byte \(offset) of the message reads back differently."
        case .writeInterrupted(let contents, let written, let length, let cause):
            "\(Self.interruption(cause, written, of: length)); \(contents.clause)."
        case .lockInterrupted(let done, let missing, let cause):
            switch (missing.isEmpty, cause) {
            case (true, .lockWithoutEffect), (true, .changedByLock):
                "\(cause.description) Bits set: \(Self.list(done))."
            case (true, _): "\(cause.description) Bits set: \(Self.list(done)). The lock was not completely verified."
            default:
                "\(cause.description) Locked so far: \(Self.list(done)); not done, or not verified: \(Self.list(missing))."
            }
        case .factoryKeys: "This tag still has its factory keys."
        case .wrongKey(let number): "The tag's key \(number) is not the one that was given."
        case .wrongPassword(.none): "The tag refused the password."
        case .wrongPassword(.unknown): "The tag refused the password, and may have counted the attempt."
        case .wrongPassword(.count(0)):
            "The tag refused the password and is closed permanently: it now refuses every password, even the right one."
        case .wrongPassword(.count(1)): "The tag refused the password. One more wrong password closes it permanently."
        case .wrongPassword(.count(let remaining)):
            "The tag refused the password. After at most \(remaining) more wrong passwords, the tag closes permanently."
        case .foreignPACK: "The tag accepted the password but answered with a different PACK."
        case .passwordAtRisk(let limit): "\(limit.sentence) The password was not sent."
        case .passwordUnanswered:
            "The answer to the password was lost. It is not known whether the tag accepted it or counted it as wrong."
        case .protectionInterrupted(let done, let missing, let cause):
            "\(cause.description) Done: \(Self.list(done)); not done, or not verified: \(Self.list(missing))."
        case .changedSincePlanned(let place, let found, let expected):
            "The tag has changed since the lock was planned: \(place) holds \(found.spacedHex) instead of "
                + "\(expected.spacedHex). Nothing was changed."
        case .lockWithoutEffect(let place): "The lock bits are set, but \(place) can still be written."
        case .changedByLock(let place): "The lock bits are set, but \(place) changed while the tag was being locked."
        case .cannotMakeReadOnly(let reason): "The tag cannot be made read-only: \(reason)."
        case .notBlank: "The tag is not blank: it holds data where the message would go."
        case .unsupported(let reason): "This tag does not support that: \(reason)."
        }
    }

    private static func place(_ offset: Int?) -> String { offset.map { " at offset \($0)" } ?? "" }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "nothing" : items.joined(separator: ", ")
    }

    private static func interruption(_ cause: TagError, _ written: Int, of length: Int) -> String {
        // An empty message has no bytes to count.
        let progress = length == 0 ? "" : " after \(written) of \(length) bytes"
        return switch cause {
        case .reader(.tagLost): "The tag left the field\(progress)"
        case .reader(.noAnswer), .noReliableAnswer: "The tag stopped answering\(progress)"
        case .reader(.aborted): "The write was interrupted\(progress)"
        default: "\(cause.description) This happened\(length == 0 ? " while the tag was being erased" : progress)"
        }
    }
}

extension TagError.Contents {
    fileprivate var clause: String {
        switch self {
        case .unchanged: "it still holds its old message"
        case .unchangedWithoutMirror:
            "it holds its old message, in which the chip no longer shows its UID or counter"
        case .empty: "it now holds an empty message"
        case .new: "it holds the new message"
        case .unchangedOrEmpty: "it holds all, part or none of its old message; this could not be checked"
        case .emptyOrNew: "it holds the new message or none; this could not be checked"
        case .unchangedOrNew: "it holds its old message or the new one; this could not be checked"
        }
    }
}

/// Runs a reader call and wraps its error in a ``TagError``.
func onReader<T>(_ call: () throws(ReaderError) -> T) throws(TagError) -> T {
    do { return try call() } catch { throw .reader(error) }
}

extension Type2AttemptLimit {
    /// A sentence that describes the effect of wrong passwords on the tag.
    public var sentence: String {
        switch self {
        case .none: "Wrong passwords do not close this tag."
        case .count(1): "One wrong password closes this tag permanently."
        case .count(let count): "\(count) wrong passwords in a row close this tag permanently."
        case .unknown: "Wrong passwords may close this tag permanently; it does not show how many it allows."
        }
    }
}
