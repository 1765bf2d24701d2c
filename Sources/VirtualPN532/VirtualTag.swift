// The interface between the radio and virtual tags: frames and times — ISO/IEC 14443-3, JIS X 6319-4, NFC Forum Type 1
// Tag

/// A tag's answer to a frame.
public enum TagAnswer: Hashable, Sendable {
    /// Whole bytes, to which the radio adds the checksum of the tag's technology.
    case bytes([UInt8])
    /// Whole bytes to which no checksum is added: the nonce of an authentication, or a frame that the tag enciphered.
    case bare([UInt8])
    /// Four bits without a CRC: the ACK `A` or a NAK (`0`, `1`, `4` or `5`) of a Type 2 Tag.
    case nibble(UInt8)
    /// No answer.
    ///
    /// The reader waits until its time-out expires.
    case silence
}

/// A tag's answer, and how long the tag takes before it starts to send the answer.
public struct TagReply: Hashable, Sendable {
    /// The answer.
    public var answer: TagAnswer
    /// The time between the end of the command and the start of the answer.
    ///
    /// For example, an NTAG21x takes 4.1 ms to program a block.
    public var delay: Duration
    /// The time slot of an answer to polling, counted from 0.
    ///
    /// Answers in different time slots do not collide.
    public var slot: Int

    /// Creates a reply with an answer.
    public init(_ answer: TagAnswer, delay: Duration = .zero, slot: Int = 0) {
        self.answer = answer
        self.delay = delay
        self.slot = slot
    }
}

/// A tag in the field of a virtual reader.
///
/// Each technology has a protocol that refines this one.
///
/// The radio calls all methods on one thread, the thread of the chip. The properties may be read from any thread.
public protocol VirtualTag: AnyObject, Sendable {
    /// The tag's identifier in lists: NFCID1 (UID), PUPI, IDm or the UID of a Type 1 Tag.
    var identifier: [UInt8] { get }
    /// The number of changes to the non-volatile memory since the tag was created.
    var generation: Int { get }

    /// Handles the loss of power because the field was switched off or the tag left it.
    ///
    /// The tag loses all volatile state.
    func fieldOff()
    /// Handles a frame in the tag's technology.
    ///
    /// The radio has checked and removed the checksum.
    ///
    /// An ISO-DEP tag also receives RATS or ATTRIB, blocks and DESELECT through this method, because the radio does not
    /// keep the state of the protocol for the tag.
    func receive(_ frame: [UInt8]) -> TagReply
    /// Handles a frame as ``receive(_:)`` does, but power fails during the execution of the command.
    ///
    /// A write can leave its block torn (a mixture of old and new bytes). The tag does not answer.
    func receiveTorn(_ frame: [UInt8])
}

/// A type A tag — ISO/IEC 14443-3.
///
/// The tag has the states of the standard: IDLE, READY, ACTIVE and HALT. The radio performs the anticollision, because
/// it involves all tags in the field. The radio calls ``VirtualTag/receive(_:)`` only for an ACTIVE tag.
public protocol TypeATag: VirtualTag {
    /// ATQA in the order in which it is sent, low byte first: `44 00` for a Type 2 Tag with a 7-byte UID.
    var sensRes: [UInt8] { get }
    /// The UID without cascade tags: 4, 7 or 10 bytes.
    var nfcID1: [UInt8] { get }
    /// SAK of the last cascade level: `00` for a Type 2 Tag, `20` for ISO-DEP.
    var selRes: UInt8 { get }

    /// Handles REQA (`wakeUp` is false) or WUPA (`wakeUp` is true).
    ///
    /// Returns whether the tag answers with ``sensRes``. If so, the tag is now READY.
    func poll(wakeUp: Bool) -> Bool
    /// Handles a garbled frame, or the end of an anticollision in which another UID was selected.
    ///
    /// A READY or ACTIVE tag returns to IDLE or HALT.
    func deselect()
    /// Handles SELECT with this tag's UID at the end of an anticollision: the tag becomes ACTIVE.
    func select()
    /// Handles HLTA in the ACTIVE state.
    func halt()
    /// Handles a frame with an error.
    ///
    /// A READY or ACTIVE tag returns to IDLE or HALT, and may answer with a NAK.
    func receiveGarbled() -> TagReply
}

extension TypeATag {
    /// Returns the tag to IDLE or HALT without an answer.
    public func receiveGarbled() -> TagReply {
        deselect()
        return TagReply(.silence)
    }

    /// The UID.
    public var identifier: [UInt8] { nfcID1 }
}

/// A tag whose technology has no bitwise anticollision.
///
/// The tag receives each frame of its technology unchanged, including those for polling and activation.
public protocol AddressedTag: VirtualTag {
    /// Whether the tag would execute a frame as a command.
    ///
    /// The result is false for polling and activation, and for frames that address another tag. Commands matter to
    /// faults, statistics and streams.
    func isCommand(_ frame: [UInt8]) -> Bool
}

/// A type B tag — ISO/IEC 14443-3: REQB and WUPB, SLOT-MARKER, ATTRIB, HLTB, and the frames after activation.
public protocol TypeBTag: AddressedTag {}

/// A FeliCa tag — JIS X 6319-4, 212 and 424 kbit/s.
///
/// Commands and answers start with a length byte.
public protocol FeliCaTag: AddressedTag {}

/// A Type 1 Tag (Jewel, Topaz) — NFC Forum Type 1 Tag: type A modulation, CRC_B, no anticollision.
///
/// A frame consists of command, address, data and UID, as in the specification. The radio sends the command byte in 7
/// bits, and each further byte in a frame of its own.
public protocol Type1Tag: AddressedTag {
    /// Handles REQA (`wakeUp` is false) or WUPA (`wakeUp` is true).
    ///
    /// Returns whether the tag answers with ATQA `00 0C`.
    func poll(wakeUp: Bool) -> Bool
}
