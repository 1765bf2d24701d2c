// The lock bits that a restore set, and whether their effect was tested, as a clause for the report

import SafeTag

extension RestoredLocks {
    var remark: String {
        if tried.isEmpty { return "; lock bits were set, but their effect was not tested" }
        let refusal = "; the locked blocks refuse writes (tested on \(BlockList(tried)))"
        let guarded = untried.isEmpty ? "" : "; not tested on \(BlockList(untried)), which a password protects"
        let open = untriable.isEmpty ? "" : "; not tested on \(BlockList(untriable)), which a write may change"
        return refusal + guarded + open
    }
}
