// The result of the NDEF detection procedure

/// Whether NDEF data can be read and written.
public enum NDEFStatus: Hashable, Sendable {
    /// The tag has no NDEF area, or its NDEF area cannot be read.
    case notSupported
    /// The message can be read and replaced.
    case readWrite
    /// The message can only be read.
    case readOnly
}

/// The result of ``ForumTag/detect()``.
public struct NDEFState: Hashable, Sendable {
    /// Whether NDEF data can be read and written.
    public var status: NDEFStatus
    /// The maximum length of a message on this tag, in bytes.
    ///
    /// For a blank tag, this is the capacity after initialisation. It is 0 if there is no NDEF area or its size is not
    /// known.
    public var capacity: Int
    /// The length of the message on the tag in bytes: 0 if the message is empty, or `nil` if there is no NDEF area.
    public var messageLength: Int?
    /// Whether the tag has no NDEF area yet but ``ForumTag/initialise()`` can create one.
    public var isBlank: Bool
    /// Whether ``ForumTag/initialise()`` only needs to write an empty message into an existing data area.
    public var needsOnlyTLV = false
    /// The memory that ``ForumTag/initialise()`` takes from a card's free memory, or `nil` if it takes none.
    public var taken: TakenMemory?
    /// Whether a password is the only thing that prevents the message from being replaced, or from occupying the whole
    /// tag.
    public var needsPassword = false
    /// Whether the message lies in MIFARE Classic sectors whose keys are not known.
    public var needsKey = false
    /// Whether the tag is a MIFARE Classic that has no directory of a known version and can be erased as a whole.
    public var hasForeignDirectory = false
    /// Whether an interrupted write left the message empty; in that case, ``reason`` explains this.
    public var isInterrupted = false
    /// The write access to the message of an NTAG 4xx DNA or a DESFire, and whether the chip fills in the message.
    ///
    /// It is `nil` for other tags, and if the access rights were not requested.
    public var rights: MessageRights?
    /// A clause without a full stop that explains why the status is not ``NDEFStatus/readWrite``, why a partly written
    /// message reads as empty, which blocks need a password, or which data is missing from a dump.
    ///
    /// It is `nil` if there is nothing to explain.
    public var reason: String?

    /// The part of a card's free memory that the file for the message will occupy.
    public struct TakenMemory: Hashable, Sendable {
        /// The size of the file for the message, in bytes.
        public let file: Int
        /// The free memory before the file is created, in bytes.
        public let free: Int
    }

    /// Creates a state.
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
    /// The status for a user without keys, which is read-only if the chip requires a key to replace the message.
    public var openStatus: NDEFStatus { status == .readWrite && rights?.isPlain == false ? .readOnly : status }

    /// Returns the state of the same tag after a message was written completely.
    ///
    /// - Parameter length: the length of the message, in bytes.
    /// - Returns: the state with the new length, and no longer marked as interrupted.
    public func holding(_ length: Int) -> NDEFState {
        var state = self
        state.messageLength = length
        if isInterrupted { (state.isInterrupted, state.reason) = (false, nil) }
        return state
    }

    /// Returns the error for an operation that needs NDEF data, on a tag that has none.
    ///
    /// - Parameter reason: the reason to use if the state has none, as a clause.
    /// - Returns: the error, with the reason of the state if it has one.
    package func notNDEF(otherwise reason: String = "") -> TagError {
        .notNDEF(reason: self.reason ?? reason, hasForeignDirectory: hasForeignDirectory)
    }

    /// Creates the state of a tag that cannot be read without its password.
    ///
    /// - Parameter block: the first block that the password protects.
    public init(passwordNeededFrom block: Int) {
        self.init(
            status: .notSupported, capacity: 0, messageLength: nil,
            reason: "reading from block \(block) onwards needs a password")
    }

    /// Creates the state of a MIFARE Classic whose message lies in a sector with unknown keys.
    public init(keyNeededFor sector: Int) {
        self.init(
            status: .notSupported, capacity: 0, messageLength: nil,
            reason: "reading sector \(sector) needs a key that is not known")
        needsKey = true
    }

    /// Creates the state of a tag whose dump does not contain a block that is needed to find or read the message.
    public init(unknownBlock block: Int) {
        self.init(
            status: .notSupported, capacity: 0, messageLength: nil, reason: "block \(block) is not in this file")
    }
}
