// A tag as the radio sees it: frames and times — ISO/IEC 14443-3, JIS X 6319-4, NFC Forum Type 1 Tag

/// What a tag sends back after a frame.
public enum TagAnswer: Hashable, Sendable {
    /// Whole bytes; the radio adds the checksum of the tag's technology.
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
    /// The time slot of an answer to polling, from 0; answers in different slots do not collide.
    public var slot: Int

    /// Makes a reply.
    public init(_ answer: TagAnswer, delay: Duration = .zero, slot: Int = 0) {
        self.answer = answer
        self.delay = delay
        self.slot = slot
    }
}

/// A tag in the field of the virtual reader: one of the technologies that refine this protocol.
///
/// All calls come from the chip's one thread; the properties may be read from any.
public protocol VirtualTag: AnyObject, Sendable {
    /// By what lists name the tag: NFCID1 (UID), PUPI, IDm or Type 1 UID.
    var identifier: [UInt8] { get }
    /// Counts the changes of the non-volatile memory since the tag was made.
    var generation: Int { get }

    /// The field went off, or the tag left it: as after power-up; what is volatile is lost.
    func fieldOff()
    /// A frame of the tag's technology with a correct checksum, without it.
    ///
    /// ISO-DEP tags get RATS or ATTRIB, blocks and DESELECT here too: the chip holds no protocol state of theirs.
    func receive(_ frame: [UInt8]) -> TagReply
    /// As ``receive(_:)``, but power fails while the command executes: a write leaves its block torn (a mixture of the
    /// old and the new bytes), and nothing is answered.
    func receiveTorn(_ frame: [UInt8])
}

/// A type A tag — ISO/IEC 14443-3.
///
/// The states are those of the standard (IDLE, READY, ACTIVE, HALT); anticollision is done by the radio, which knows
/// all tags in the field. ``VirtualTag/receive(_:)`` is answered by an ACTIVE tag only.
public protocol TypeATag: VirtualTag {
    /// ATQA as sent, low byte first: `44 00` for a 7-byte UID.
    var sensRes: [UInt8] { get }
    /// The UID without cascade tags: 4, 7 or 10 bytes.
    var nfcID1: [UInt8] { get }
    /// SAK of the last cascade level: `00` Type 2, `20` ISO-DEP.
    var selRes: UInt8 { get }

    /// REQA (`wakeUp` false) or WUPA (true): true when the tag answers with ``sensRes`` and is READY.
    func poll(wakeUp: Bool) -> Bool
    /// Anticollision ended with another tag's UID, or a frame came garbled: a READY or ACTIVE tag falls back to IDLE or HALT.
    func deselect()
    /// Anticollision and SELECT ended with this tag's UID: the tag is ACTIVE.
    func select()
    /// HLTA in ACTIVE state.
    func halt()
    /// A frame with an error: a READY or ACTIVE tag falls back to IDLE or HALT, and may say NAK.
    func receiveGarbled() -> TagReply
}

extension TypeATag {
    /// Falls back, and says nothing.
    public func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }

    /// The UID.
    public var identifier: [UInt8] { nfcID1 }
}

/// A tag without bitwise anticollision: each frame of its technology reaches it whole, polling and activation too.
public protocol AddressedTag: VirtualTag {
    /// Whether the tag would execute this frame as a command, rather than take it for polling, activation or another's.
    ///
    /// Faults, statistics and streams count commands.
    func isCommand(_ frame: [UInt8]) -> Bool
}

/// A type B tag — ISO/IEC 14443-3: REQB and WUPB, SLOT-MARKER, ATTRIB, HLTB, and what follows activation.
public protocol TypeBTag: AddressedTag {}

/// A FeliCa tag — JIS X 6319-4, 212 and 424 kbit/s; frames and answers begin with their length byte.
public protocol FeliCaTag: AddressedTag {}

/// A Type 1 Tag (Jewel, Topaz) — NFC Forum Type 1 Tag: type A modulation, CRC_B, no anticollision.
///
/// Frames are command, address, data and UID as in the specification; the 7-bit framing of the command byte and the
/// frame per byte are the radio's.
public protocol Type1Tag: AddressedTag {
    /// REQA (`wakeUp` false) or WUPA (true): true when the tag answers with ATQA `00 0C`.
    func poll(wakeUp: Bool) -> Bool
}
