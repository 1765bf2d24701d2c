// The ways that a lock leaves open to change or silence a tag — NXP NT3H2111/2211 8.3.6 (irreversible from NFC
// perspective); Proxmark3, doc/magic_cards_notes.md (generation 1a)
public import Chips

/// A way to change or silence a tag that its lock leaves open.
public enum LockGap: Hashable, Sendable {
    /// Settings of a Type 2 Tag that anyone can still change.
    case configuration(OpenConfiguration)
    /// The backdoor of a copy of a MIFARE Classic, which allows every block to be written, whatever the access bits
    /// are.
    case backdoor
    /// A second interface of the chip, which can change the message and clear the lock bits.
    case i2c
    /// Commands with which anyone who knows their passwords can silence the tag.
    case silencing([ChipModel.Silencing])
}

extension ForumTag {
    /// The gaps that a lock of this tag leaves, as far as they are known without sending another command.
    public var lockGaps: [LockGap] {
        var gaps: [LockGap] = []
        if (self as? ClassicTag)?.origin?.signs.contains(.backdoor) ?? false { gaps.append(.backdoor) }
        if chip?.model?.isNTAGI2C ?? false { gaps.append(.i2c) }
        if let open = (self as? Type2Tag)?.configurationOpenWhenLocked { gaps.append(.configuration(open)) }
        if let silencing = chip?.model?.silencing, !silencing.isEmpty { gaps.append(.silencing(silencing)) }
        return gaps
    }

    /// Plans a lock like ``planLock()``, after checking whether a MIFARE Classic is a copy with a backdoor.
    ///
    /// - Throws: what ``planLock()`` throws.
    public func planLockOfInspected() throws(TagError) -> LockPlan {
        if let card = self as? ClassicTag, card.origin == nil {
            _ = try card.inspectOrigin(block0: card.memory.cached(0))
        }
        return try planLock()
    }
}
