// What the NDEF detection procedure found

/// Whether NDEF data can be read and written.
public enum NDEFStatus: Hashable, Sendable {
    /// The tag holds no NDEF area, or one that cannot be read.
    case notSupported
    /// The message can be read and replaced.
    case readWrite
    /// The message can be read only.
    case readOnly
}

/// The result of ``ForumTag/detect()``.
public struct NDEFState: Hashable, Sendable {
    /// Whether NDEF data can be read and written.
    public var status: NDEFStatus
    /// The length of the largest message the tag can hold, in bytes.
    ///
    /// Of a blank tag, once it is initialised. 0 when there is no NDEF area, or the size is not known.
    public var capacity: Int
    /// The length of the message on the tag in bytes, 0 when it is empty, `nil` when there is no NDEF area.
    public var messageLength: Int?
    /// Whether the tag has no NDEF area yet and ``ForumTag/initialise()`` can make one.
    public var isBlank: Bool
    /// Whether ``ForumTag/initialise()`` only puts an empty message into a data area that is there.
    public var needsOnlyTLV = false
    /// Whether a password, and nothing else, keeps the message from being replaced.
    public var needsPassword = false
    /// Whether the message lies in sectors of a MIFARE Classic with keys that are not known.
    public var needsKey = false
    /// Who may write the message of an NTAG 4xx DNA, and whether the chip fills it in; nil of other tags, and where that was
    /// not asked.
    public var rights: MessageRights?
    /// Why the status is not ``NDEFStatus/readWrite``, or why a message that was begun reads as empty, a clause without a
    /// full stop; `nil` when there is nothing to say.
    public var reason: String?

    /// Makes a state.
    public init(
        status: NDEFStatus, capacity: Int, messageLength: Int?, isBlank: Bool = false, reason: String? = nil
    ) {
        self.status = status
        self.capacity = capacity
        self.messageLength = messageLength
        self.isBlank = isBlank
        self.reason = reason
    }
}

extension NDEFState {
    /// What can be done without a key: ``status``, unless the chip lets only its keys replace the message.
    public var openStatus: NDEFStatus { status == .readWrite && rights?.isPlain == false ? .readOnly : status }

    /// The state of a tag that cannot be read without its password.
    ///
    /// - Parameter block: the first block that the password guards.
    public init(passwordNeededFrom block: Int) {
        self.init(
            status: .notSupported, capacity: 0, messageLength: nil,
            reason: "reading from block \(block) on needs a password")
    }

    /// The state of a MIFARE Classic whose message lies in a sector with keys that are not known.
    public init(keyNeededFor sector: Int) {
        self.init(
            status: .notSupported, capacity: 0, messageLength: nil,
            reason: "reading sector \(sector) needs a key that is not known")
        needsKey = true
    }
}
