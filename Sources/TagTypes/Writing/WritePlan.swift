// The steps from one NDEF message to another, and back — the NDEF Write Procedures of the tag type specifications

/// The steps that replace a message, with all old and new bytes.
///
/// A journal stores such plans.
///
/// Addresses depend on the tag type: byte addresses in the memory for Type 1, Type 2, Type 5 and MIFARE Classic, block
/// numbers for Type 3, offsets in the NDEF file for Type 4. Each piece is written with as few commands as the tag
/// allows, usually one.
public struct WritePlan: Hashable, Sendable, Codable {
    /// A piece of memory, with its old and new bytes.
    public struct Piece: Hashable, Sendable, Codable {
        /// The address of the first byte or block of the piece.
        public let address: Int
        /// The bytes at the time of planning, as far as they were read.
        ///
        /// They are shorter than `new`, or empty, if the old message ended there or was left ``OldMessage/unread``.
        public let old: [UInt8]
        /// The bytes once the new message is written.
        public let new: [UInt8]
        /// The offset in the new message of the first message byte at or after the start of the piece.
        public let messageOffset: Int
        /// The number of bytes of the new message in this piece.
        public let messageCount: Int

        /// Creates a piece.
        ///
        /// `old` must not be longer than `new`.
        public init(address: Int, old: [UInt8], new: [UInt8], messageOffset: Int, messageCount: Int) {
            self.address = address
            self.old = old
            self.new = new
            self.messageOffset = messageOffset
            self.messageCount = messageCount
        }
    }

    /// The direction of a run, which determines the message that it leaves on the tag.
    public enum Direction: String, Hashable, Sendable, Codable {
        /// The run leaves the new message.
        case forward
        /// The run restores the old message.
        case backward
    }

    /// The contents that an interruption may leave on the tag, besides the old and the new message.
    public enum Transition: String, Hashable, Sendable, Codable {
        /// No message: the length is zero while the body changes.
        case throughEmpty
        /// Nothing else: the new message is written next to the old one, and one write switches between them.
        case atOnce
    }

    /// Whether a plan contains the message that it replaces.
    public enum OldMessage: Hashable, Sendable {
        /// The whole old message is read, so the plan can also run backward, as a journal requires.
        case kept
        /// The old message is not read in full, so the plan can only run forward.
        case unread
    }

    /// The pieces after the length, in write order.
    public let body: [Piece]
    /// The pieces that make the message visible, in write order.
    ///
    /// The last one is the switch.
    public let head: [Piece]
    /// The bytes of the switch while no message is visible, or `nil` if one write replaces the message.
    public let closed: [UInt8]?
    /// The whole old message, including parts that no piece touches, or `nil` if it was not read.
    public let oldMessage: [UInt8]?
    /// The whole new message.
    public let newMessage: [UInt8]
    /// The bytes after the old message that belong to TLVs of other programs and that this write overwrites, or `nil`
    /// if there are none or the old message was not read.
    ///
    /// ``ForumTag/planWrite(_:_:oldMessage:followedBy:)`` puts them back.
    public internal(set) var displaced: [UInt8]?

    /// Creates a plan.
    ///
    /// `head` must not be empty.
    public init(body: [Piece], head: [Piece], closed: [UInt8]?, oldMessage: [UInt8]?, newMessage: [UInt8]) {
        self.body = body
        self.head = head
        self.closed = closed
        self.oldMessage = oldMessage
        self.newMessage = newMessage
        displaced = nil
    }

    /// All pieces, in write order.
    public var pieces: [Piece] { body + head }

    /// Whether the tag already holds everything that the plan would write.
    public var changesNothing: Bool { pieces.allSatisfy { $0.old == $0.new } }

    /// Whether the plan replaces all data with zeros.
    ///
    /// In that case, an empty message does not prove that the plan was carried out.
    public var isWiping: Bool { newMessage.isEmpty && body.contains { $0.new.allSatisfy { $0 == 0 } } }

    /// Returns the message that a run in this direction leaves, or `nil` for an old message that was not read.
    public func message(_ direction: Direction) -> [UInt8]? { direction == .forward ? newMessage : oldMessage }
}

extension WritePlan.Piece {
    /// Returns the bytes that a run in this direction leaves, or `nil` if it leaves the piece unchanged.
    func bytes(_ direction: WritePlan.Direction) -> [UInt8]? {
        switch direction {
        case .forward: new
        case .backward: old.isEmpty ? nil : old
        }
    }

    /// Whether all old bytes of the piece are known.
    var isOldKnown: Bool { old.count == new.count }

    var span: Span { Span(address: address, count: new.count) }
}

/// A range of a tag's memory that one write covers.
struct Span: Hashable, Sendable {
    let address: Int
    /// The number of bytes.
    let count: Int
}
