// Whether a tag has a lock that it enforces itself, found out before anything is written

extension ForumTag {
    /// Plans a lock that the tag itself enforces.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` where the tag has only a mark that readers heed; what ``planLock()``
    ///   throws.
    public func planEnforcedLock() throws(TagError) -> LockPlan {
        let plan = try planLock()
        guard plan.isEnforced else { throw .onlyMark }
        return plan
    }

    /// Finds out whether the tag can be locked, as far as this shows before anything is written.
    ///
    /// - Throws: what ``planLock()`` throws.
    public func requireLock() throws(TagError) {
        guard try detect().isBlank else {
            _ = try planLock()
            return
        }
        if let tag = self as? Type2Tag { try tag.requireLockBits() }
    }

    /// Whether the tag itself refuses to change its data, as its lock bits read.
    ///
    /// - Returns: nil where that cannot be found out.
    /// - Throws: ``TagError/passwordNeeded(block:)``, ``TagError/keyNeeded(sector:)`` where they cannot be read; what reading throws.
    public func isLockSet() throws(TagError) -> Bool? {
        if let tag = self as? Type2Tag { return try tag.hasAllLockBits() }
        do throws(TagError) {
            guard try planEnforcedLock().isEmpty else { return false }
            return try detect().status == .readOnly
        } catch {
            switch error {
            // A message that a key can still change is not locked.
            case .cannotMakeReadOnly, .messageNeedsKey: return false
            case .passwordNeeded, .keyNeeded: throw error
            default:
                if error.isOfConnection { throw error }
                return nil
            }
        }
    }

    /// Finds out whether the tag can be locked so that it enforces that itself, as far as this shows before anything is
    /// written: a tag without a message is judged by its kind.
    ///
    /// - Throws: what ``planEnforcedLock()`` throws.
    public func requireEnforcedLock() throws(TagError) {
        guard try detect().isBlank else {
            _ = try planEnforcedLock()
            return
        }
        switch self {
        case let tag as Type2Tag: try tag.requireLockBits()
        case let tag as Type3Tag: guard tag.chip != nil else { throw .onlyMark }
        case let tag as Type5Tag: guard try tag.hasBlockLock() else { throw .onlyMark }
        default: break
        }
    }
}

extension TagError {
    /// The tag has no lock.
    fileprivate static let onlyMark = TagError.cannotMakeReadOnly(
        reason: "it has no lock, only a mark that other tools can ignore and remove")
}
