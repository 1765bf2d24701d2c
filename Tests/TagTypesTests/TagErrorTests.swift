// The descriptions of tag errors that people read
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct TagErrorTests {
    static let texts: [(TagError, String)] = [
        (.reader(.tagLost), "The tag left the field."),
        (
            .notNDEF(reason: "its capability container is blank"),
            "The tag holds no NDEF data: its capability container is blank."
        ),
        (.readOnly(reason: "its lock bits lock block 4"), "The tag is read-only: its lock bits lock block 4."),
        (.tooLong(length: 212, capacity: 137), "The message needs 212 bytes; this tag holds 137."),
        (
            .protocolViolation(field: "MLe", found: "0000", expected: "000F or more", offset: 3),
            "The tag violates its specification: MLe at offset 3 is 0000; expected 000F or more."
        ),
        (
            .protocolViolation(field: "the R-APDU", found: "1 bytes", expected: "2 or more", offset: nil),
            "The tag violates its specification: the R-APDU is 1 bytes; expected 2 or more."
        ),
        (
            .commandFailed(command: "UPDATE BINARY", offset: 0, sw: 0x6982),
            "The tag refused UPDATE BINARY at offset 0 with SW 6982 (security status not satisfied)."
        ),
        (
            .commandFailed(command: "READ", offset: 64, sw: nil),
            "The tag did not execute READ at offset 64."
        ),
        (
            .refused(
                command: "Read Without Encryption", block: 14, status: FeliCaStatus(flag1: 0x01, flag2: 0xA8)),
            "The card refused Read Without Encryption of block 14 with status flags 01 A8 (illegal block number)."
        ),
        (.passwordNeeded(block: 36), "Block 36 is protected by a password."),
        (.keyNeeded(sector: 1), "Sector 1 of the tag needs a key that is not known."),
        (
            .sectorBlocked(sector: 9),
            "Sector 9 of the card is blocked permanently: it accepts its key, but refuses every READ, because its "
                + "access bits are invalid. No key and no tool can open it."
        ),
        (
            .verificationFailed(offset: 9),
            "The tag does not hold what was written: byte 9 of the message reads back differently."
        ),
        (
            .lockInterrupted(done: ["static lock bits"], missing: [], cause: .reader(.aborted)),
            "Interrupted. Bits set: static lock bits. The lock was not completely verified."
        ),
        (
            .writeInterrupted(contents: .empty, written: 96, of: 212, cause: .reader(.tagLost)),
            "The tag left the field after 96 of 212 bytes; it now holds an empty message."
        ),
        (
            .writeInterrupted(contents: .unchanged, written: 0, of: 40, cause: .reader(.noAnswer)),
            "The tag stopped answering after 0 of 40 bytes; it still holds its old message."
        ),
        (
            .writeInterrupted(contents: .new, written: 40, of: 40, cause: .reader(.aborted)),
            "The write was interrupted after 40 of 40 bytes; it holds the new message."
        ),
        (
            .writeInterrupted(
                contents: .emptyOrNew, written: 40, of: 40,
                cause: .reader(.readerFailed(operation: "writing", reason: "it did not answer", code: -1))),
            "The reader failed while writing: it did not answer (error -1). This happened after 40 of 40 bytes; "
                + "it holds the new message or none; this could not be checked."
        ),
        (
            .lockInterrupted(
                done: ["write access"], missing: ["static lock bits", "dynamic lock bits"], cause: .reader(.tagLost)),
            "The tag left the field. Locked so far: write access; "
                + "not done, or not verified: static lock bits, dynamic lock bits."
        ),
        (.wrongPassword(remaining: .none), "The tag refused the password."),
        (.wrongPassword(remaining: .unknown), "The tag refused the password, and may have counted the attempt."),
        (
            .wrongPassword(remaining: .count(0)),
            "The tag refused the password and is closed permanently: it now refuses every password, even the right one."
        ),
        (.foreignPACK, "The tag accepted the password but answered with a different PACK."),
        (
            .wrongPassword(remaining: .count(1)),
            "The tag refused the password. One more wrong password closes it permanently."
        ),
        (
            .passwordAtRisk(limit: .unknown),
            "Wrong passwords may close this tag permanently; it does not show how many it allows. The password was not sent."
        ),
        (
            .passwordUnanswered,
            "The answer to the password was lost. It is not known whether the tag accepted it or counted it as wrong."
        ),
        (
            .wrongPassword(remaining: .count(2)),
            "The tag refused the password. After at most 2 more wrong passwords, the tag closes permanently."
        ),
        (
            .protectionInterrupted(
                done: ["password"], missing: ["access rules", "protection from block 4"], cause: .reader(.tagLost)),
            "The tag left the field. Done: password; not done, or not verified: access rules, protection from block 4."
        ),
        (
            .cannotMakeReadOnly(reason: "its container is fixed"),
            "The tag cannot be made read-only: its container is fixed."
        ),
        (.notBlank, "The tag is not blank: it holds data where the message would go."),
        (.unsupported(reason: "its size is not known"), "This tag does not support that: its size is not known."),
    ]

    @Test(arguments: texts)
    func errorsSayWhatHappenedAndWhy(error: TagError, text: String) {
        #expect(error.description == text)
    }
}
