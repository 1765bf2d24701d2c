// A tag as the radio sees it: frames and times — ISO/IEC 14443-3, JIS X 6319-4, NFC Forum Type 1 Tag

/// The answer of a tag to a frame.
public enum TagAnswer: Hashable, Sendable {
    /// Whole bytes; the radio adds the checksum of the tag's technology.
    case bytes([UInt8])
    /// Whole bytes without a checksum: the nonce of an authentication, or a frame that the tag enciphered.
    case bare([UInt8])
    /// Four bits without CRC: the ACK `A` or a NAK (`0`, `1`, `4`, `5`) of a Type 2 Tag.
    case nibble(UInt8)
    /// No answer.
    ///
    /// The reader's time-out expires.
    case silence
}

/// An answer, together with the time that the tag took before it started to send.
public struct TagReply: Hashable, Sendable {
    /// The answer.
    public var answer: TagAnswer
    /// The tag's own time between the end of the command and the start of the answer, for example the programming time
    /// of a block (4.1 ms on NTAG21x).
    public var delay: Duration
    /// The time slot of an answer to polling, counted from 0.
    ///
    /// Answers in different slots do not collide.
    public var slot: Int

    /// Creates a reply.
    public init(_ answer: TagAnswer, delay: Duration = .zero, slot: Int = 0) {
        self.answer = answer
        self.delay = delay
        self.slot = slot
    }
}

/// A tag in the field of the virtual reader.
///
/// A refined protocol exists for each technology.
///
/// All calls come from the chip's single thread. The properties may be read from any thread.
public protocol VirtualTag: AnyObject, Sendable {
    /// The identifier of the tag in lists: NFCID1 (UID), PUPI, IDm or Type 1 UID.
    var identifier: [UInt8] { get }
    /// The number of changes to the non-volatile memory since the tag was created.
    var generation: Int { get }

    /// Handles the loss of power because the field went off or the tag left it.
    ///
    /// All volatile state is lost.
    func fieldOff()
    /// Handles a frame of the tag's technology.
    ///
    /// Its checksum was correct and has been removed.
    ///
    /// ISO-DEP tags also receive RATS or ATTRIB, blocks and DESELECT through this method, because the chip keeps no
    /// protocol state for them.
    func receive(_ frame: [UInt8]) -> TagReply
    /// Like ``receive(_:)``, but power fails while the command executes.
    ///
    /// A write leaves its block torn (a mixture of old and new bytes), and there is no answer.
    func receiveTorn(_ frame: [UInt8])
}

/// A type A tag — ISO/IEC 14443-3.
///
/// The states are those of the standard (IDLE, READY, ACTIVE, HALT). The radio performs anticollision, because it
/// involves all tags in the field. Only an ACTIVE tag answers ``VirtualTag/receive(_:)``.
public protocol TypeATag: VirtualTag {
    /// ATQA as sent, low byte first: `44 00` for a 7-byte UID.
    var sensRes: [UInt8] { get }
    /// The UID without cascade tags: 4, 7 or 10 bytes.
    var nfcID1: [UInt8] { get }
    /// SAK of the last cascade level: `00` Type 2, `20` ISO-DEP.
    var selRes: UInt8 { get }

    /// Handles REQA (`wakeUp` false) or WUPA (true).
    ///
    /// Returns true if the tag answers with ``sensRes`` and is now READY.
    func poll(wakeUp: Bool) -> Bool
    /// Handles the end of an anticollision that selected another UID, or a garbled frame.
    ///
    /// A READY or ACTIVE tag falls back to IDLE or HALT.
    func deselect()
    /// Handles the end of an anticollision and SELECT with this tag's UID: the tag becomes ACTIVE.
    func select()
    /// Handles HLTA in the ACTIVE state.
    func halt()
    /// Handles a frame with an error: a READY or ACTIVE tag falls back to IDLE or HALT, and may answer NAK.
    func receiveGarbled() -> TagReply
}

extension TypeATag {
    /// Falls back without an answer.
    public func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }

    /// The UID.
    public var identifier: [UInt8] { nfcID1 }
}

/// A tag without bitwise anticollision.
///
/// It receives every frame of its technology whole, including polling and activation.
public protocol AddressedTag: VirtualTag {
    /// Whether the tag would execute this frame as a command, not handle it as polling, activation or a frame for
    /// another tag.
    ///
    /// Faults, statistics and streams count commands.
    func isCommand(_ frame: [UInt8]) -> Bool
}

/// A type B tag — ISO/IEC 14443-3: REQB and WUPB, SLOT-MARKER, ATTRIB, HLTB, and the frames after activation.
public protocol TypeBTag: AddressedTag {}

/// A FeliCa tag — JIS X 6319-4, 212 and 424 kbit/s.
///
/// Frames and answers start with their length byte.
public protocol FeliCaTag: AddressedTag {}

/// A Type 1 Tag (Jewel, Topaz) — NFC Forum Type 1 Tag: type A modulation, CRC_B, no anticollision.
///
/// Frames consist of command, address, data and UID, as in the specification. The radio handles the framing: 7 bits for
/// the command byte, and one frame per byte.
public protocol Type1Tag: AddressedTag {
    /// Handles REQA (`wakeUp` false) or WUPA (true).
    ///
    /// Returns true if the tag answers with ATQA `00 0C`.
    func poll(wakeUp: Bool) -> Bool
}
