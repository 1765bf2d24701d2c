// Checks, before anything is written, whether a tag has a lock that it enforces itself

extension ForumTag {
    /// Plans a lock that the tag itself enforces.
    ///
    /// - Throws: ``TagError/cannotMakeReadOnly(reason:)`` if the tag only has a mark that readers respect; what
    ///   ``planLock()`` throws.
    public func planEnforcedLock() throws(TagError) -> LockPlan {
        let plan = try planLock()
        guard plan.isEnforced else { throw .onlyMark }
        return plan
    }

    /// Checks whether the tag can be locked, as far as this can be known before anything is written.
    ///
    /// - Throws: what ``planLock()`` throws.
    public func requireLock() throws(TagError) {
        guard try detect().isBlank else {
            _ = try planLock()
            return
        }
        if let tag = self as? Type2Tag { try tag.requireLockBits() }
    }

    /// Returns whether the tag itself refuses to change its data, according to its lock bits.
    ///
    /// - Returns: nil if this cannot be determined.
    /// - Throws: ``TagError/passwordNeeded(block:)``, ``TagError/keyNeeded(sector:)`` if they cannot be read; what
    ///   reading throws.
    public func isLockSet() throws(TagError) -> Bool? {
        if let tag = self as? Type2Tag { return try tag.hasAllLockBits() }
        do throws(TagError) {
            guard try planEnforcedLock().isEmpty else { return false }
            return try detect().status == .readOnly
        } catch {
            switch error {
            // A message that can still be changed with a key is not locked.
            case .cannotMakeReadOnly, .messageNeedsKey: return false
            case .passwordNeeded, .keyNeeded: throw error
            default:
                if error.isOfConnection { throw error }
                return nil
            }
        }
    }

    /// Checks whether the tag has a lock that it enforces itself, as far as this can be known before anything is
    /// written.
    ///
    /// A tag without a message is judged by its type.
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
    /// The error for a tag without an enforced lock.
    fileprivate static let onlyMark = TagError.cannotMakeReadOnly(
        reason: "it has no lock, only a mark that other tools can ignore and remove")
}
