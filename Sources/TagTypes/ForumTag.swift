// A tag that can hold one NDEF message — NFC Forum tag type specifications
public import NFCReader

/// An activated target with NDEF meaning.
///
/// One instance serves one activation: it caches what it read, so make a new one when the tag comes back. Instances are
/// not thread-safe; all calls block and belong on the queue that owns the reader.
public protocol ForumTag: AnyObject {
    /// The connection to the target.
    var channel: any TagChannel { get }

    /// The kind of tag; `nil` for a target of no tag type.
    var type: TagType? { get }

    /// The chip, where the tag named it; filled by ``detect()`` at the latest.
    var chip: Chip? { get }

    /// Runs the NDEF detection procedure.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` when an NDEF area announces itself and
    ///   its fields contradict the specification; ``TagError/passwordNeeded(block:)``; ``TagError/reader(_:)``.
    func detect() throws(TagError) -> NDEFState

    /// Reads the NDEF message; empty when there is an NDEF area without a message.
    ///
    /// - Throws: ``TagError/notNDEF(reason:)`` and whatever ``detect()`` throws.
    func readNDEF() throws(TagError) -> [UInt8]

    /// Replaces the NDEF message and proves it by reading it back.
    ///
    /// The length is zero while the body changes, so that a cut leaves the old, an empty or the new message.
    /// - Parameter message: at most `capacity` bytes; no bytes leave the tag empty.
    /// - Throws: before any write ``TagError/notNDEF(reason:)``, ``TagError/readOnly(reason:)``,
    ///   ``TagError/passwordNeeded(block:)``, ``TagError/tooLong(length:capacity:)``; after it
    ///   ``TagError/writeInterrupted(contents:written:of:cause:)``, ``TagError/verificationFailed(offset:)``.
    func writeNDEF(_ message: [UInt8]) throws(TagError)

    /// Makes the NDEF data read-only for ever, checking every step.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` when the tag does not allow it;
    ///   ``TagError/lockInterrupted(done:missing:cause:)`` when only part was done.
    func makeReadOnly() throws(TagError)

    /// Gives a blank tag an NDEF area with an empty message. On Type 2 this sets one-time bits.
    ///
    /// - Throws: ``TagError/notBlank`` when there is an NDEF area already.
    func initialise() throws(TagError)

    /// Reads all that can be read and says what each part is for.
    func memoryMap() throws(TagError) -> MemoryMap

    /// Writes raw blocks in the order given, each read back and compared; they have no NDEF meaning here.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` before any write where the tag has no blocks;
    ///   ``TagError/commandFailed(command:offset:sw:)`` for a block that does not hold its bytes afterwards.
    func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError)
}

extension ForumTag {
    /// Refuses: this kind of tag has no blocks, or writing them is not implemented.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        throw .unsupported(reason: "its memory cannot be written block by block")
    }
}
