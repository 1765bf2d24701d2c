// The consequences of a reset, in words — Docs/Provisioning.md

package import Provisioning

extension RowReset {
    /// The consequences for the tags, in sentences.
    package var text: String {
        let (count, names) = (rows.count, RowNumbers(rows).text)
        var facts = [
            count == 1
                ? "A tag has \(names) and keeps what it holds. A second tag would then carry the same row."
                : "\(count) tags have \(names) and keep what they hold. Other tags would then carry the same rows.",
            "The journal forgets which tag had which row. To keep a record, first run nfctool provision export.",
        ]
        if locked > 0 {
            facts.insert(
                locked == 1
                    ? "1 tag is locked and cannot be written again."
                    : "\(locked) tags are locked and cannot be written again.",
                at: 1)
        }
        if doubtful > 0 {
            facts.insert(
                doubtful == 1
                    ? "1 tag may be locked, completely or in part."
                    : "\(doubtful) tags may be locked, completely or in part.",
                at: 1)
        }
        return facts.joined(separator: " ")
    }
}
