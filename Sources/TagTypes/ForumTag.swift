// A tag that can hold one NDEF message — NFC Forum tag type specifications
public import ReaderInterface

/// A tag that was activated and can hold NDEF data.
///
/// An instance serves one activation. It caches what it has read, so create a new one when the tag comes back.
/// Instances are not thread-safe. All calls block and must run on the queue that owns the reader.
public protocol ForumTag: AnyObject {
    /// The connection to the target.
    var channel: any TagChannel { get }

    /// The kind of tag, or `nil` if the target is not a known tag type.
    var type: TagType? { get }

    /// The chip, or `nil` if it is not identified. If it can be identified, ``detect()`` does so at the latest.
    var chip: Chip? { get }

    /// Runs the NDEF detection procedure.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if an NDEF area is present but its fields
    ///   contradict the specification; ``TagError/passwordNeeded(block:)``; ``TagError/reader(_:)``.
    func detect() throws(TagError) -> NDEFState

    /// Reads the bytes of the NDEF message. The result is empty if the NDEF area holds no message.
    ///
    /// - Throws: ``TagError/notNDEF(reason:hasForeignDirectory:)`` and whatever ``detect()`` throws.
    func readNDEF() throws(TagError) -> [UInt8]

    /// Plans the replacement of the NDEF message. Reads the data that would change, and writes nothing.
    ///
    /// - Parameters:
    ///   - message: the bytes of the new message, at most ``NDEFState/capacity`` of them. An empty message leaves the
    ///     tag empty.
    ///   - transition: the states in which an interruption may leave the tag.
    ///   - oldMessage: whether to read the old message so that the write can be undone. Reading it costs extra
    ///     exchanges.
    ///   - trail: TLVs of other programs to write after the new message. To write back the old message of an earlier
    ///     plan for this tag, pass the ``WritePlan/displaced`` of that plan. The parameter has no effect with
    ///     ``WritePlan/Transition/atOnce`` and on tags whose message is not in a TLV.
    /// - Returns: the pieces to write, with the current bytes of the tag as far as they were read.
    /// - Throws: ``TagError/notNDEF(reason:hasForeignDirectory:)``, ``TagError/readOnly(reason:mayBeRestored:)``,
    ///   ``TagError/passwordNeeded(block:)``, ``TagError/tooLong(length:capacity:)``, ``TagError/unsupported(reason:)``
    ///   if the tag does not support the transition, and whatever reading throws.
    func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy trail: [UInt8]
    ) throws(TagError) -> WritePlan

    /// Plans to write an empty message, and zeros to the rest of the data area. Reads the current data, and writes
    /// nothing.
    ///
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` throws.
    func planWipe() throws(TagError) -> WritePlan

    /// Carries out a plan that was made for this tag in this or an earlier activation, and verifies it by reading back.
    ///
    /// The plan can also be carried out if an interruption left the message or the NDEF area incomplete, because every
    /// piece of the plan is read, and the pieces that differ are written.
    /// - Throws: ``TagError/writeInterrupted(contents:written:of:cause:)`` once a write may have changed the tag.
    func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError)

    /// Plans how to make the NDEF data read-only. Reads the data that would change, and writes nothing.
    ///
    /// - Returns: the plan. It has no steps if everything that locks the tag is already set. Carrying out a plan
    ///   without steps only verifies the lock.
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` if the tag does not allow locking, or the way to lock it is
    ///   not known; and whatever reading throws.
    func planLock() throws(TagError) -> LockPlan

    /// Carries out a lock plan for this tag, reads each step back, and verifies the effect.
    ///
    /// If the tag itself enforces the lock, each locked part must refuse a write of the bytes that it holds. All other
    /// readable data must be unchanged.
    /// - Throws: ``TagError/changedSincePlanned(place:found:expected:)`` before the first step if the tag has changed;
    ///   ``TagError/lockInterrupted(done:missing:cause:)`` after that.
    func carryOut(_ plan: LockPlan) throws(TagError)

    /// Checks that a tag that ``detect()`` reports as blank can be initialised. Reads the data that would be
    /// overwritten, and writes nothing.
    ///
    /// - Throws: ``TagError/notBlank`` if the tag already has an NDEF area, or other data in the place of the message;
    ///   ``TagError/passwordNeeded(block:)``, ``TagError/keyNeeded(sector:)``, ``TagError/unsupported(reason:)``;
    ///   ``TagError/readOnly(reason:mayBeRestored:)`` if lock bits lock a part of the data area of a Type 2 Tag.
    func requireBlank() throws(TagError)

    /// Creates an NDEF area with an empty message on a blank tag. On a Type 2 Tag, this sets one-time bits.
    ///
    /// - Throws: what ``requireBlank()`` throws, before any write.
    func initialise() throws(TagError)

    /// Reads everything that can be read, and determines the purpose of each part.
    func memoryMap() throws(TagError) -> MemoryMap

    /// Checks that the tag has these raw blocks and that the reader can send the commands to write them. Writes
    /// nothing.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` if the tag has no such blocks; ``TagError/reader(_:)`` with
    ///   `cannotSend`.
    func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError)

    /// Writes raw blocks in the given order, and verifies each. Their content is not interpreted as NDEF data.
    ///
    /// - Throws: what ``requireBlocks(_:)`` throws, before any write; ``TagError/commandFailed(command:offset:sw:)``
    ///   for a block that does not hold its bytes afterwards.
    func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError)
}

extension ForumTag {
    /// Always throws, because this kind of tag has no blocks, or writing them is not implemented.
    public func requireBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) {
        throw .unsupported(reason: "its memory cannot be written block by block")
    }

    /// Always throws, because this kind of tag has no blocks, or writing them is not implemented.
    public func writeBlocks(_ blocks: [(number: Int, bytes: [UInt8])]) throws(TagError) { try requireBlocks(blocks) }
}

extension ForumTag {
    /// Runs ``detect()`` and, for a tag that seems blank, ``requireBlank()``.
    ///
    /// If a tag that seems blank cannot be initialised, the returned state is not blank and gives the reason.
    ///
    /// - Throws: the errors of ``detect()``.
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
    /// A clause with the reason why a tag that seemed blank cannot be initialised.
    fileprivate var reasonNotToInitialise: String {
        switch self {
        case .notBlank: "it holds other data"
        case .keyNeeded(let sector): "sector \(sector) needs a key that is not known"
        case .sectorBlocked(let sector): Self.blockedReason(sector)
        case .reader(.notInFile(let block)): "block \(block) is not in this file"
        case .passwordNeeded(let block), .passwordUnsupported(let block):
            "writing from block \(block) onwards needs a password"
        case .unsupported(let reason), .readOnly(let reason, _): reason
        default: "not all of its memory can be read"
        }
    }
}

extension ForumTag {
    /// Plans a write that can be undone, because the old message is read first.
    ///
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` throws.
    public func planWrite(_ message: [UInt8], _ transition: WritePlan.Transition) throws(TagError) -> WritePlan {
        try planWrite(message, transition, oldMessage: .kept)
    }

    /// Plans a write that puts no TLVs of other programs after the message.
    ///
    /// - Throws: what ``planWrite(_:_:oldMessage:followedBy:)`` throws.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage
    ) throws(TagError) -> WritePlan {
        try planWrite(message, transition, oldMessage: oldMessage, followedBy: [])
    }

    /// Replaces the NDEF message and verifies it by reading back, without reading the old message.
    ///
    /// An interruption leaves the old, an empty or the new message.
    /// - Throws: what ``planWrite(_:_:oldMessage:)`` and ``carryOut(_:_:)`` throw.
    public func writeNDEF(_ message: [UInt8]) throws(TagError) {
        try carryOut(try planWrite(message, .throughEmpty, oldMessage: .unread), .forward)
    }

    /// Plans and carries out a lock that makes the NDEF data read-only.
    ///
    /// - Throws: what ``planLock()`` and ``carryOut(_:)-(LockPlan)`` throw.
    public func makeReadOnly() throws(TagError) { try carryOut(try planLock()) }

    /// Turns off a mirror that hides part of the memory, before a write replaces the message.
    ///
    /// The result is `true` if a mirror was on. In that case, power-cycle the tag before you plan the write. On chips
    /// without a mirror, this function does nothing.
    /// - Throws: the errors of ``Type2Tag/removeMirror(before:)``.
    public func showMemory(before plan: (any ForumTag) throws -> WritePlan) throws -> Bool {
        try (self as? Type2Tag)?.removeMirror(before: plan) ?? false
    }

    /// Returns the message on the tag if the plan must keep it, or `nil` otherwise.
    func message(_ oldMessage: WritePlan.OldMessage) throws(TagError) -> [UInt8]? {
        oldMessage == .kept ? try readNDEF() : nil
    }
}

extension ForumTag {
    /// Plans zeros for all the pieces that the longest message would occupy, and the head of an empty message.
    public func planWipe() throws(TagError) -> WritePlan {
        let empty = try planWrite([], .throughEmpty)
        let longest = try planWrite([UInt8](repeating: 0, count: try detect().capacity), .throughEmpty)
        return WritePlan(
            body: longest.body, head: empty.head, closed: empty.closed, oldMessage: empty.oldMessage, newMessage: [])
    }
}
