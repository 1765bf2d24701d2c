// A tag as the radio sees it: states, frames and times — ISO/IEC 14443-3 type A

/// What a tag sends back after a frame.
public enum TagAnswer: Hashable, Sendable {
    /// Whole bytes; the radio adds a correct CRC_A.
    case bytes([UInt8])
    /// Whole bytes and nothing more: the nonce of an authentication, and frames that the tag ciphered.
    case bare([UInt8])
    /// Four bits without CRC: the ACK `A` or a NAK (`0`, `1`, `4`, `5`) of a Type 2 Tag.
    case nibble(UInt8)
    /// Nothing: the reader runs into its time-out.
    case silence
}

/// An answer together with the time the tag took before it began to send.
public struct TagReply: Hashable, Sendable {
    /// What came back.
    public var answer: TagAnswer
    /// The tag's own time between the end of the command and the start of the answer, for example a block's
    /// programming time (4.1 ms on NTAG21x).
    public var delay: Duration

    /// Makes a reply.
    public init(_ answer: TagAnswer, delay: Duration = .zero) {
        self.answer = answer
        self.delay = delay
    }
}

/// A type A tag in the field of the virtual reader.
///
/// The states are those of ISO/IEC 14443-3 (IDLE, READY, ACTIVE, HALT); anticollision is done by the chip, which knows
/// all tags in the field. All calls come from the chip's one thread.
public protocol VirtualTag: AnyObject, Sendable {
    /// ATQA as sent, low byte first: `44 00` for a 7-byte UID.
    var sensRes: [UInt8] { get }
    /// The UID without cascade tags: 4, 7 or 10 bytes.
    var nfcID1: [UInt8] { get }
    /// SAK of the last cascade level: `00` Type 2, `20` ISO-DEP.
    var selRes: UInt8 { get }

    /// The field went off, or the tag left it: back to IDLE at the next power-up; what is volatile is lost.
    func fieldOff()
    /// REQA (`wakeUp` false) or WUPA (true): true when the tag answers with ``sensRes`` and is READY.
    func poll(wakeUp: Bool) -> Bool
    /// Anticollision ended with another tag's UID, or a frame came garbled: a READY or ACTIVE tag falls back to IDLE or HALT.
    func deselect()
    /// Anticollision and SELECT ended with this tag's UID: the tag is ACTIVE.
    func select()
    /// HLTA in ACTIVE state.
    func halt()
    /// A frame with a correct CRC_A, without it. Only an ACTIVE tag answers.
    ///
    /// ISO-DEP tags get RATS, blocks and DESELECT here too: the chip holds no protocol state of theirs.
    func receive(_ frame: [UInt8]) -> TagReply
    /// As ``receive(_:)``, but power fails while the command executes: a write leaves its block torn (a mixture of the
    /// old and the new bytes), and nothing is answered.
    func receiveTorn(_ frame: [UInt8])
}
