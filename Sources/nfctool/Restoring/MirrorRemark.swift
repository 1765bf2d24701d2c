// The effect of a restore on the values that a chip shows in its message, as a clause

import MemoryPresentation
import SafeTag

extension MirrorOutcome {
    /// A clause for the report.
    ///
    /// Empty if there is nothing to report.
    var remark: String {
        if let shown { return "; the tag shows \(shown.words) in the message, as the dump says" }
        if let lacking {
            return
                "; the dumped tag showed \(lacking.words) in the message, but this tag shows zeros: --configuration "
                + "turns it on"
        }
        return turnedOff.map { "; the tag showed \($0.words) in the message, which is off now" } ?? ""
    }
}
