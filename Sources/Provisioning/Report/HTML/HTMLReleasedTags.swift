// The tags of released rows, which may still carry them

import Hexadecimal

/// A table of the tags whose rows were released.
///
/// It is left out if there are none.
///
/// The user must find these tags: if one is used, two tags carry the same row.
struct HTMLReleasedTags {
    /// The maximum number of tags on the page.
    private static let limit = 500

    let stream: ReportStream
    let clock: ReportClock

    func write(of record: any ProvisioningRecord) throws {
        var count = 0
        try record.forEachRefusedTag { tag in
            guard tag.isReleased else { return }
            count += 1
            if count == 1 { stream.append(head) }
            if count <= Self.limit { stream.append(row(tag)) }
        }
        guard count > 0 else { return }
        stream.append("</tbody>\n</table>\n")
        if count > Self.limit {
            let more = Figure.grouped(count - Self.limit)
            stream.append(
                "<p class=\"note\">\(more) more not shown; a <code>.jsonl</code> report has all of them.</p>\n")
        }
        stream.append("</section>\n")
    }

    private var head: String {
        """
        <section>
        <h2>Tags whose rows were released</h2>
        <p class="note">Find these tags, and erase or destroy them: another tag may carry the same row.</p>
        <table>
        <thead><tr><th scope="col">Tag</th><th scope="col">Chip</th><th scope="col">Time<br/>\(clock.name)</th>\
        <th scope="col">What it may carry</th></tr></thead>
        <tbody>

        """
    }

    private func row(_ tag: RefusedTag) -> String {
        """
        <tr><td class="uid"><code>\(tag.uid.hex)</code></td><td>\(tag.chip.escapedForHTML)</td>\
        <td>\(clock.dayAndTime(tag.time))</td><td class="why">\(tag.reason.escapedForHTML)</td></tr>

        """
    }
}
