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

    /// Reads what replacing the NDEF message would change, and plans it; nothing is written.
    ///
    /// - Parameters:
    ///   - message: at most `capacity` bytes; no bytes leave the tag empty.
    ///   - transition: what a cut may leave on the tag.
    /// - Throws: ``TagError/notNDEF(reason:)``, ``TagError/readOnly(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/tooLong(length:capacity:)``, ``TagError/unsupported(reason:)`` for a transition that the tag does not
    ///   know, and whatever reading throws.
    func planWrite(_ message: [UInt8], _ transition: WritePlan.Transition) throws(TagError) -> WritePlan

    /// Carries out a plan made for this tag, in this activation or an earlier one, and proves it by reading back.
    ///
    /// Works on a tag whose message, or whose NDEF area, is in pieces after a cut: what the plan names is read, and what
    /// differs is written.
    /// - Throws: ``TagError/writeInterrupted(contents:written:of:cause:)`` once something may have changed.
    func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError)

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
}

extension ForumTag {
    /// Replaces the NDEF message and proves it by reading it back.
    ///
    /// A cut leaves the old, an empty or the new message.
    /// - Throws: what ``planWrite(_:_:)`` and ``carryOut(_:_:)`` throw.
    public func writeNDEF(_ message: [UInt8]) throws(TagError) {
        try carryOut(try planWrite(message, .throughEmpty), .forward)
    }
}
