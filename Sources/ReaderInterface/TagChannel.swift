// The interface for tag code: bytes to and from one activated target

/// How the reader handles a command for the target.
public enum Framing: Hashable, Sendable {
    /// The reader's own protocol handling (PN532 InDataExchange).
    ///
    /// The reader exchanges ISO-DEP blocks with ISO-DEP targets, and understands the 4-bit ACK with which a Type 2 Tag
    /// answers WRITE. A successful WRITE returns an empty answer.
    ///
    /// The reader supports the Type 2 commands READ `30` and WRITE `A2`. Use ``raw`` for other Type 2 commands, which
    /// the reader would misinterpret.
    ///
    /// The reader supports the Type 1 commands RALL, READ, WRITE-E, WRITE-NE, and RSEG of segment 0. They consist of
    /// command, address and data. The reader adds the UID and removes the address from the answer.
    case handled
    /// The bytes as they are, to which the reader adds a CRC, and whose CRC it checks (PN532 InCommunicateThru).
    ///
    /// Use this for GET_VERSION `60`, FAST_READ `3A`, PWD_AUTH `1B`, READ_SIG `3C` and READ_CNT `39`. A 4-bit ACK looks
    /// like a transmission error with this framing. FeliCa frames start with their length byte in both directions. For
    /// a Type 1 Tag, only READ8, WRITE-E8 and WRITE-NE8 are sent this way. NFC-V commands start with the request flags,
    /// and answers with the response flags (ISO/IEC 15693-3, 7.3 and 7.4).
    case raw
}

/// A target's answer to a frame.
public enum FrameAnswer: Hashable, Sendable {
    /// Bytes, without CRC.
    case bytes([UInt8])
    /// Four bits, of which `A` is ACK, and any other value is NAK — NFC Forum T2T, ACK and NAK Responses.
    case nibble(UInt8)
}

/// A connection to one activated target.
///
/// Calls block, and must be made on the queue that owns the reader. A Type 2 Tag that answered NAK, or did not answer,
/// answers no further command until ``reselect()``.
public protocol TagChannel: AnyObject {
    /// The target, with the data from its activation.
    var target: Target { get }

    /// The maximum length of a command for ``transceive(_:framing:timeout:)`` with this reader, in bytes.
    var maxCommandLength: Int { get }

    /// The maximum length of an answer that ``transceive(_:framing:timeout:)`` can return with this reader, in bytes.
    var maxResponseLength: Int { get }

    /// The maximum time until ``transceive(_:framing:timeout:)`` reports that the target does not answer.
    ///
    /// This time applies even to a shorter time-out, because a reader cannot wait for less time than its chip does.
    var longestSilence: Duration { get }

    /// Returns whether this reader can send a command to the target at all.
    ///
    /// The command is not sent.
    ///
    /// A PC/SC reader may support only some commands of a tag, so a procedure checks this before its first write. For a
    /// write, a reader whose block addresses are uncertain first reads some blocks to verify the addresses.
    func carries(_ command: [UInt8], framing: Framing) -> Bool

    /// Returns whether a refusal of a command cannot be distinguished from a missing answer.
    ///
    /// Some PC/SC readers remove the response flags of ISO 15693 tags. A procedure that may repeat the command can do
    /// so to find out which case it is.
    func hidesRefusal(of command: [UInt8]) -> Bool

    /// Sends one command once.
    ///
    /// - Parameters:
    ///   - command: 1…``maxCommandLength`` bytes.
    ///   - framing: whether the reader interprets the bytes, or only the target does.
    ///   - timeout: the maximum wait for the answer, which must not be zero. The call waits at least
    ///     ``longestSilence``.
    /// - Returns: the target's answer, without CRC.
    /// - Throws: ``ReaderError/noAnswer`` for both a NAK and silence (readers do not distinguish them);
    ///   ``ReaderError/commandTooLong(length:limit:)`` and ``ReaderError/cannotSend(command:reader:technology:flags:)``
    ///   before anything is sent; ``ReaderError/aborted``; ``ReaderError/readerFailed(operation:reason:code:fault:)``
    ///   if the reader itself does not answer.
    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8]

    /// Sends one command as a frame to an NFC-A target without ISO-DEP, and also returns an answer of four bits.
    ///
    /// ``transceive(_:framing:timeout:)`` treats such an answer as a missing answer. For other targets, this method
    /// does the same as that one with ``Framing/raw``.
    ///
    /// - Parameters:
    ///   - command: 1…``maxFrameLength`` bytes, without CRC.
    ///   - timeout: the maximum wait for the answer, which must not be zero.
    /// - Returns: whole bytes without CRC, or four bits such as ACK and NAK.
    /// - Throws: the errors of ``transceive(_:framing:timeout:)``, with ``ReaderError/noAnswer`` only for silence and
    ///   broken frames.
    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer

    /// Sends a 7-bit frame without CRC to the NFC-A tags in the field, and returns an answer of four bits.
    ///
    /// REQA and WUPA are such frames. Activated tags treat any other 7-bit frame as an error, so activate the target
    /// again afterwards.
    ///
    /// - Throws: ``ReaderError/noAnswer``; ``ReaderError/cannotSend(command:reader:technology:flags:)`` if the reader
    ///   cannot send such a frame, or does not let the host activate tags.
    func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer

    /// Activates the same target again by its identifier.
    ///
    /// Any authentication is lost.
    ///
    /// - Throws: ``ReaderError/tagLost`` if the target is no longer in the field.
    func reselect() throws(ReaderError)
}

extension TagChannel {
    /// The time-out for an answer if a procedure has no reason for a longer or shorter one.
    public static var defaultTimeout: Duration { .milliseconds(500) }

    /// Returns true by default, because the reader can send any command.
    public func carries(_ command: [UInt8], framing: Framing) -> Bool { true }

    /// Returns false by default.
    ///
    /// Answers with error codes are passed on unchanged, so a refused command does not look unanswered.
    public func hidesRefusal(of command: [UInt8]) -> Bool { false }

    /// Zero by default, so that time-outs apply unchanged.
    public var longestSilence: Duration { .zero }

    /// The maximum length of a command for ``exchangeFrame(_:timeout:)``, which adds the CRC, in bytes.
    public var maxFrameLength: Int { maxCommandLength - 2 }

    /// Sends a command with ``transceive(_:framing:timeout:)``, which treats an answer of four bits as a missing
    /// answer.
    public func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        .bytes(try transceive(command, framing: .raw, timeout: timeout))
    }

    /// Throws an error by default, because this implementation cannot send such frames.
    public func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer {
        throw .cannotSend(command: code, reader: "the reader")
    }

    /// Sends one command with the default time-out.
    public func transceive(_ command: [UInt8], framing: Framing) throws(ReaderError) -> [UInt8] {
        try transceive(command, framing: framing, timeout: Self.defaultTimeout)
    }
}
