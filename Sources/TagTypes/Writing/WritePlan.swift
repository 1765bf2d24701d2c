// How a tag gets from one NDEF message to another, and back — the NDEF Write Procedures of the tag type specifications

/// The steps of replacing a message, with all bytes before and after: what a journal keeps.
///
/// Addresses are the tag type's own: byte addresses in the memory of Type 1, Type 2, Type 5 and MIFARE Classic, block numbers of
/// Type 3, offsets in the NDEF file of Type 4. Each piece is written by one command, or by as few as the tag takes.
public struct WritePlan: Hashable, Sendable, Codable {
    /// A piece of memory, before and after.
    public struct Piece: Hashable, Sendable, Codable {
        /// Where it begins.
        public let address: Int
        /// Its bytes as they were when the plan was made, as far as they were read: shorter than `new`, or empty, where
        /// the old message ended, or was left ``OldMessage/unread``.
        public let old: [UInt8]
        /// Its bytes with the new message.
        public let new: [UInt8]
        /// The offset in the new message of the first message byte at or behind the piece's beginning.
        public let messageOffset: Int
        /// The number of bytes of the new message in it.
        public let messageCount: Int

        /// Makes a piece; `old` is no longer than `new`.
        public init(address: Int, old: [UInt8], new: [UInt8], messageOffset: Int, messageCount: Int) {
            self.address = address
            self.old = old
            self.new = new
            self.messageOffset = messageOffset
            self.messageCount = messageCount
        }
    }

    /// Which message a run of the plan leaves on the tag.
    public enum Direction: String, Hashable, Sendable, Codable {
        /// The new message.
        case forward
        /// The old message again.
        case backward
    }

    /// What a cut may leave on the tag between the old message and the new one.
    public enum Transition: String, Hashable, Sendable, Codable {
        /// No message: the length is zero while the body changes.
        case throughEmpty
        /// Nothing else: the new message is written beside the old one, and one write switches.
        case atOnce
    }

    /// Whether a plan knows the message that it replaces.
    public enum OldMessage: Hashable, Sendable {
        /// All of it is read: the plan goes backward too, as a journal needs it.
        case kept
        /// Nothing is read for its sake: the plan goes forward only.
        case unread
    }

    /// The pieces behind the length, in the order they are written.
    public let body: [Piece]
    /// The pieces that make the message visible, in the order they are written; the last is the switch.
    public let head: [Piece]
    /// The bytes of the switch while no message is visible; `nil` when one write changes from message to message.
    public let closed: [UInt8]?
    /// The whole old message, also what of it no piece touches; `nil` when it was left unread.
    public let oldMessage: [UInt8]?
    /// The whole new message.
    public let newMessage: [UInt8]

    /// Makes a plan; `head` is not empty.
    public init(body: [Piece], head: [Piece], closed: [UInt8]?, oldMessage: [UInt8]?, newMessage: [UInt8]) {
        self.body = body
        self.head = head
        self.closed = closed
        self.oldMessage = oldMessage
        self.newMessage = newMessage
    }

    /// All pieces, in the order they are written.
    public var pieces: [Piece] { body + head }

    /// Whether the tag already holds all that the plan would write.
    public var changesNothing: Bool { pieces.allSatisfy { $0.old == $0.new } }

    /// Whether the plan puts zeros in the place of all data: an empty message alone does not show that it was carried out.
    public var isWiping: Bool { newMessage.isEmpty && body.contains { $0.new.allSatisfy { $0 == 0 } } }

    /// The message that a run in this direction leaves; `nil` for the old one when it was left unread.
    public func message(_ direction: Direction) -> [UInt8]? { direction == .forward ? newMessage : oldMessage }
}

extension WritePlan.Piece {
    /// The bytes a run in this direction leaves; `nil` where it has nothing to do.
    func bytes(_ direction: WritePlan.Direction) -> [UInt8]? {
        switch direction {
        case .forward: new
        case .backward: old.isEmpty ? nil : old
        }
    }

    /// Whether all that was there is known.
    var isOldKnown: Bool { old.count == new.count }

    /// The whole piece.
    var span: Span { Span(address: address, count: new.count) }
}

/// A stretch of a tag's memory that one write covers.
struct Span: Hashable, Sendable {
    let address: Int
    /// The number of bytes.
    let count: Int
}
