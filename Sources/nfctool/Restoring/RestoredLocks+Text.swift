// What is known of the lock bits that a restore set, in words

import SafeTag

extension RestoredLocks {
    /// A clause for the report.
    var remark: String {
        if tried.isEmpty { return "; lock bits were set, and it was not tried whether they have an effect" }
        let refusal = "; what was locked refuses writes (tried on \(BlockList(tried)))"
        let guarded = untried.isEmpty ? "" : "; a password guards \(BlockList(untried)), where it was not tried"
        let open = untriable.isEmpty ? "" : "; it was not tried on \(BlockList(untriable)), which a write may change"
        return refusal + guarded + open
    }
}
