// The consequences of a reset, in words — Docs/Provisioning.md

import Hexadecimal
package import Provisioning

extension RowReset {
    /// The consequences for the tags, in sentences.
    package var text: String {
        let (count, names) = (rows.count, RowNumbers(rows).text)
        var facts = [
            count == 1
                ? "Tag \(tags) has \(names) and keeps what it holds. A second tag would then carry the same row."
                : "\(count) tags have \(names) and keep what they hold: \(tags). Other tags would then carry the same rows.",
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

    /// The UIDs of the first tags, and the number of the others.
    private var tags: String {
        let more = rows.count - uids.count
        return uids.map(\.hex).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
