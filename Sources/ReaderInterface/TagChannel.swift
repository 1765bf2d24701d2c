// The seam tag code sees: bytes to one activated target, and bytes back

/// How the reader wraps a command for the target.
public enum Framing: Hashable, Sendable {
    /// The reader's own protocol handling: ISO-DEP blocks for ISO-DEP targets, the 4-bit ACK of a Type 2 Tag WRITE
    /// understood (PN532 InDataExchange). A successful WRITE gives an empty answer.
    ///
    /// Type 2 commands known to the reader: READ `30`, WRITE `A2`. Others are misread: use ``raw``.
    ///
    /// Type 1 commands known to the reader: RALL, READ, WRITE-E, WRITE-NE, and RSEG of segment 0; they are command, address
    /// and data: the reader adds the UID and takes the address off the answer.
    case handled
    /// The bytes as they are, with the CRC added and checked (PN532 InCommunicateThru).
    ///
    /// For GET_VERSION `60`, FAST_READ `3A`, PWD_AUTH `1B`, READ_SIG `3C`, READ_CNT `39`. A 4-bit ACK looks like a
    /// transmission error here. FeliCa frames begin with their length byte, in both directions. Of a Type 1 Tag, READ8, WRITE-E8 and
    /// WRITE-NE8 go this way, and nothing else. Frames of NFC-V begin with the request flags, and answers with the response flags
    /// (ISO/IEC 15693-3, 7.3 and 7.4).
    case raw
}

/// What a target answers a frame with.
public enum FrameAnswer: Hashable, Sendable {
    /// Bytes, without CRC.
    case bytes([UInt8])
    /// Four bits: `A` is ACK, anything else NAK — NFC Forum T2T, ACK and NAK Responses.
    case nibble(UInt8)
}

/// A connection to one activated target.
///
/// Calls block and are made on the queue that owns the reader. A Type 2 Tag that answered NAK, or did not answer,
/// stays mute until ``reselect()``.
public protocol TagChannel: AnyObject {
    /// The target, as activated.
    var target: Target { get }

    /// The longest command, in bytes, that ``transceive(_:framing:timeout:)`` carries with this reader.
    var maxCommandLength: Int { get }

    /// The longest answer, in bytes, that ``transceive(_:framing:timeout:)`` can return with this reader.
    var maxResponseLength: Int { get }

    /// How long it may take until ``transceive(_:framing:timeout:)`` reports a silent target, also with a shorter time-out: no
    /// reader can be told less than its chip's own time-out.
    var longestSilence: Duration { get }

    /// Whether this reader can send a command at all; the command is not sent.
    ///
    /// A PC/SC reader may know some commands of a tag only: a procedure asks before its first write. Of a write, a reader whose
    /// block addresses are not certain reads some blocks first, and so learns whether they are right.
    func carries(_ command: [UInt8], framing: Framing) -> Bool

    /// Whether a command that the target refuses looks like one that it does not answer.
    ///
    /// Some PC/SC readers remove the response flags of ISO 15693 tags. A procedure that may repeat the command can find out.
    func hidesRefusal(of command: [UInt8]) -> Bool

    /// Sends one command, once.
    ///
    /// - Parameters:
    ///   - command: 1…``maxCommandLength`` bytes.
    ///   - framing: who knows what the bytes mean, the reader or only the target.
    ///   - timeout: the longest wait for the answer, more than zero; at least ``longestSilence`` is waited.
    /// - Returns: the target's answer, without CRC.
    /// - Throws: ``ReaderError/noAnswer`` for a NAK and for silence alike (readers do not tell them apart);
    ///   ``ReaderError/commandTooLong(length:limit:)`` and ``ReaderError/cannotSend(command:reader:technology:flags:)``
    ///   before anything is sent; ``ReaderError/aborted``; ``ReaderError/readerFailed(operation:reason:code:fault:)``
    ///   when the reader itself does not answer.
    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8]

    /// Sends one command as a frame of an NFC-A target without ISO-DEP, and sees an answer of four bits, which
    /// ``transceive(_:framing:timeout:)`` takes for none. For other targets it is that with ``Framing/raw``.
    ///
    /// - Parameters:
    ///   - command: 1…``maxFrameLength`` bytes, without CRC.
    ///   - timeout: the longest wait for the answer, more than zero.
    /// - Returns: whole bytes without CRC, or four bits such as ACK and NAK.
    /// - Throws: what ``transceive(_:framing:timeout:)`` throws; ``ReaderError/noAnswer`` for silence and broken frames
    ///   alone.
    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer

    /// Sends a frame of 7 bits without CRC to the NFC-A tags in the field, and sees an answer of four bits.
    ///
    /// REQA and WUPA are such frames. Tags that are activated take any other for an error: activate the target again afterwards.
    ///
    /// - Throws: ``ReaderError/noAnswer``; ``ReaderError/cannotSend(command:reader:technology:flags:)`` where the reader cannot send
    ///   it, or lets nobody else activate tags.
    func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer

    /// Activates the same target again, by its identifier; an authentication is lost.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is not in the field any more.
    func reselect() throws(ReaderError)
}

extension TagChannel {
    /// The time a target gets to answer when a procedure has no reason to give it more or less.
    public static var defaultTimeout: Duration { .milliseconds(500) }

    /// Any command.
    public func carries(_ command: [UInt8], framing: Framing) -> Bool { true }

    /// No: an answer with an error code comes as it is.
    public func hidesRefusal(of command: [UInt8]) -> Bool { false }

    /// Zero: the time-outs are as they are given.
    public var longestSilence: Duration { .zero }

    /// The longest command, in bytes, that ``exchangeFrame(_:timeout:)`` carries: the CRC goes with it.
    public var maxFrameLength: Int { maxCommandLength - 2 }

    /// As a channel does that cannot see four bits: they are no answer.
    public func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        .bytes(try transceive(command, framing: .raw, timeout: timeout))
    }

    /// As a channel does that cannot send such frames.
    public func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer {
        throw .cannotSend(command: code, reader: "the reader")
    }

    /// Sends one command with the default time-out.
    public func transceive(_ command: [UInt8], framing: Framing) throws(ReaderError) -> [UInt8] {
        try transceive(command, framing: framing, timeout: Self.defaultTimeout)
    }
}
