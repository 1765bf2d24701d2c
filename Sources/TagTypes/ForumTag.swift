// A tag that can hold one NDEF message — NFC Forum tag type specifications
public import ReaderInterface

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
    ///   - oldMessage: whether the old message is read for the way back, which costs exchanges.
    /// - Returns: the pieces to write, with the bytes on the tag as far as they were read.
    /// - Throws: ``TagError/notNDEF(reason:)``, ``TagError/readOnly(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/tooLong(length:capacity:)``, ``TagError/unsupported(reason:)`` for a transition that the tag does
    ///   not know, and whatever reading throws.
    func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage
    ) throws(TagError) -> WritePlan

    /// Plans an empty message with the rest of the data area zeroed, and reads what is there; nothing is written.
    ///
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` throws.
    func planWipe() throws(TagError) -> WritePlan

    /// Carries out a plan made for this tag, in this activation or an earlier one, and proves it by reading back.
    ///
    /// Works on a tag whose message, or whose NDEF area, is in pieces after a cut: what the plan names is read, and what
    /// differs is written.
    /// - Throws: ``TagError/writeInterrupted(contents:written:of:cause:)`` once something may have changed.
    func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError)

    /// Reads what making the NDEF data read-only would change, and plans it; nothing is written.
    ///
    /// - Returns: a plan without steps when all that locks the tag reads as set; carrying it out proves that it is locked.
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` when the tag does not allow it, or it is not known how; whatever
    ///   reading throws.
    func planLock() throws(TagError) -> LockPlan

    /// Carries out a lock as planned for this tag, each step read back, and verifies its effect.
    ///
    /// What is to be locked must refuse a write of the bytes that it holds, where the type's lock means that; all else that
    /// can be read must be as it was.
    /// - Throws: ``TagError/changedSincePlanned(place:found:expected:)`` before the first step when the tag is not as it was;
    ///   then ``TagError/lockInterrupted(done:missing:cause:)``.
    func carryOut(_ plan: LockPlan) throws(TagError)

    /// Makes sure that a tag which ``detect()`` calls blank can be initialised: it reads what that would overwrite, and writes
    /// nothing.
    ///
    /// - Throws: ``TagError/notBlank`` when there is an NDEF area already, or other data where the message would go;
    ///   ``TagError/passwordNeeded(block:)``, ``TagError/keyNeeded(sector:)``, ``TagError/unsupported(reason:)``.
    func requireBlank() throws(TagError)

    /// Gives a blank tag an NDEF area with an empty message. On Type 2 this sets one-time bits.
    ///
    /// - Throws: what ``requireBlank()`` throws, before any write.
    func initialise() throws(TagError)

    /// Reads all that can be read and says what each part is for.
    func memoryMap() throws(TagError) -> MemoryMap

    /// Makes sure that raw blocks can be written: the tag has them, and the reader can send the commands. Writes nothing.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` where the tag has no such blocks; ``TagError/reader(_:)`` with `cannotSend`.
    func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError)

    /// Writes raw blocks in the order given, each read back and compared; they have no NDEF meaning here.
    ///
    /// - Throws: what ``requireBlocks(_:)`` throws, before any write;
    ///   ``TagError/commandFailed(command:offset:sw:)`` for a block that does not hold its bytes afterwards.
    func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError)
}

extension ForumTag {
    /// Refuses: this kind of tag has no blocks, or writing them is not implemented.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        throw .unsupported(reason: "its memory cannot be written block by block")
    }

    /// Refuses: this kind of tag has no blocks, or writing them is not implemented.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) { try requireBlocks(blocks) }
}

extension ForumTag {
    /// What ``detect()`` finds; a tag that seems to be blank is examined further, as ``requireBlank()`` does.
    ///
    /// - Throws: ``TagError``, as ``detect()``.
    public func detectWhetherBlank() throws(TagError) -> NDEFState {
        var state = try detect()
        guard state.isBlank else { return state }
        do throws(TagError) {
            try requireBlank()
        } catch {
            if error.isOfConnection { throw error }
            state = NDEFState(
                status: .notSupported, capacity: 0, messageLength: nil,
                reason: (state.reason.map { $0 + ", and " } ?? "") + error.reasonNotToInitialise)
        }
        return state
    }
}

extension TagError {
    /// Why a tag that seemed to be blank cannot be initialised, a clause.
    fileprivate var reasonNotToInitialise: String {
        switch self {
        case .notBlank: "it holds other data"
        case .keyNeeded(let sector): "sector \(sector) needs a key that is not known"
        case .passwordNeeded(let block): "writing from block \(block) on needs a password"
        case .unsupported(let reason): reason
        default: "not all of its memory can be read"
        }
    }
}

extension ForumTag {
    /// Plans a write that goes both ways: the old message is kept.
    ///
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` throws.
    public func planWrite(_ message: [UInt8], _ transition: WritePlan.Transition) throws(TagError) -> WritePlan {
        try planWrite(message, transition, oldMessage: .kept)
    }

    /// Replaces the NDEF message and proves it by reading it back; the old one is not read.
    ///
    /// A cut leaves the old, an empty or the new message.
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` and ``carryOut(_:_:)`` throw.
    public func writeNDEF(_ message: [UInt8]) throws(TagError) {
        try carryOut(try planWrite(message, .throughEmpty, oldMessage: .unread), .forward)
    }

    /// Makes the NDEF data read-only, without showing the plan first.
    ///
    /// - Throws: what ``planLock()`` and ``carryOut(_:)-(LockPlan)`` throw.
    public func makeReadOnly() throws(TagError) { try carryOut(try planLock()) }

    /// Lets a chip that shows something else than its memory show the memory, before a write replaces the message.
    ///
    /// After `true`, power the tag up, and plan the write then. Only chips with a mirror do so.
    /// - Throws: as ``Type2Tag/removeMirror(before:)``.
    public func showMemory(before plan: (any ForumTag) throws -> WritePlan) throws -> Bool {
        try (self as? Type2Tag)?.removeMirror(before: plan) ?? false
    }

    /// The message on the tag, when a plan is to keep it.
    func message(_ oldMessage: WritePlan.OldMessage) throws(TagError) -> [UInt8]? {
        oldMessage == .kept ? try readNDEF() : nil
    }
}

extension ForumTag {
    /// The pieces of the longest message, all zero, and the head of an empty one.
    public func planWipe() throws(TagError) -> WritePlan {
        let empty = try planWrite([], .throughEmpty)
        let longest = try planWrite([UInt8](repeating: 0, count: try detect().capacity), .throughEmpty)
        return WritePlan(
            body: longest.body, head: empty.head, closed: empty.closed, oldMessage: empty.oldMessage, newMessage: [])
    }
}
