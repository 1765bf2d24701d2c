// Checking, before a message is written, whether a tag can enforce its lock itself

/// The effect of a lock, as far as it is known before anything is written.
public enum LockForecast: Hashable, Sendable {
    /// The tag itself will refuse writes.
    case enforced
    /// The tag will only be marked as read-only, and other tools can ignore and remove the mark.
    case onlyMark
    /// Only a write can show whether the tag allows the lock.
    case untried
}

extension ForumTag {
    /// Plans a lock that the tag itself enforces.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` if the tag has only a mark that readers respect; what
    ///   ``planLock()`` throws.
    public func planEnforcedLock() throws(TagError) -> LockPlan {
        let plan = try planLock()
        guard plan.isEnforced else { throw onlyMark }
        return plan
    }

    /// Predicts the effect of a lock without writing anything.
    ///
    /// For a tag without a message, the prediction is based on its type.
    ///
    /// - Throws: what ``planLock()`` throws.
    public func lockForecast() throws(TagError) -> LockForecast {
        guard try detect().isBlank else {
            guard try planLock().isEnforced else { return .onlyMark }
            return try (self as? Type4Tag)?.mayRefuseLock() ?? false ? .untried : .enforced
        }
        switch self {
        case let tag as Type2Tag: try tag.requireLockBits()
        case let tag as Type3Tag: guard tag.chip != nil else { return .onlyMark }
        case let tag as Type5Tag: guard try tag.hasBlockLock() else { return .onlyMark }
        default: break
        }
        return .enforced
    }

    /// Checks, before the message is changed, that the tag can be locked.
    ///
    /// If only a write can show this, bytes are written that the tag already holds.
    ///
    /// - Throws: what ``planLock()`` throws.
    public func requireLock() throws(TagError) { try requireLock(lockForecast()) }

    private func requireLock(_ forecast: LockForecast) throws(TagError) {
        if forecast == .untried { try (self as? Type4Tag)?.requireWritableContainer() }
    }

    /// Returns whether the tag itself refuses to change its data, according to its lock bits.
    ///
    /// - Returns: whether it refuses, or `nil` if this cannot be determined.
    /// - Throws: ``TagError/passwordNeeded(block:)``, ``TagError/passwordUnsupported(block:)``,
    ///   ``TagError/keyNeeded(sector:)`` if the lock bits cannot be read; what reading throws.
    public func isLockSet() throws(TagError) -> Bool? {
        if let tag = self as? Type2Tag { return try tag.hasAllLockBits() }
        do throws(TagError) {
            guard try planEnforcedLock().isEmpty else { return false }
            return try detect().status == .readOnly
        } catch {
            switch error {
            // This includes a message that can still be changed with a key: it is not locked.
            case .cannotMakeReadOnly, .messageNeedsKey: return false
            case .passwordNeeded, .passwordUnsupported, .keyNeeded: throw error
            default:
                if error.isOfConnection { throw error }
                return nil
            }
        }
    }

    /// Checks, before the message is changed, that the tag has a lock that it enforces itself.
    ///
    /// - Throws: what ``planEnforcedLock()`` and ``requireLock()`` throw.
    public func requireEnforcedLock() throws(TagError) {
        let forecast = try lockForecast()
        guard forecast != .onlyMark else { throw onlyMark }
        try requireLock(forecast)
    }

    /// The error for a tag without an enforced lock.
    ///
    /// Type 5 Tags have locks that nfctool does not use, for example the locks of areas.
    private var onlyMark: TagError {
        let reason = self is Type5Tag ? "nfctool does not use its block locks" : "it has no lock"
        return .cannotMakeReadOnly(reason: "\(reason), only a mark that other tools can ignore and remove")
    }
}
