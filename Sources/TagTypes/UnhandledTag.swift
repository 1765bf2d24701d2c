// A target of an unsupported type: its status is `notSupported`, and every other operation throws the reason

import ReaderInterface

/// A target without NDEF, or of a type that is not implemented.
final class UnhandledTag: ForumTag {
    let channel: any TagChannel
    let chip: Chip? = nil
    private let identification: TagDetection.Identification

    init(on channel: any TagChannel) {
        self.channel = channel
        identification = TagDetection.tagType(of: channel.target)
    }
}

extension UnhandledTag {
    var type: TagType? { identification.type }

    private var reason: String { identification.notHandled ?? "no NDEF tag type is defined for it" }

    func detect() throws(TagError) -> NDEFState {
        NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason)
    }

    func readNDEF() throws(TagError) -> [UInt8] { throw .notNDEF(reason: reason) }
    func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy _: [UInt8]
    ) throws(TagError) -> WritePlan {
        throw .notNDEF(reason: reason)
    }
    func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        throw .notNDEF(reason: reason)
    }
    func planWipe() throws(TagError) -> WritePlan { throw .notNDEF(reason: reason) }
    func planLock() throws(TagError) -> LockPlan { throw .notNDEF(reason: reason) }
    func carryOut(_ plan: LockPlan) throws(TagError) { throw .notNDEF(reason: reason) }
    func requireBlank() throws(TagError) { throw .unsupported(reason: reason) }
    func initialise() throws(TagError) { throw .unsupported(reason: reason) }
    func memoryMap() throws(TagError) -> MemoryMap { MemoryMap() }
}
