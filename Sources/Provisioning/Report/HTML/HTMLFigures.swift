// The figures at the top of the page, and the bar of states

/// The tiles with figures, followed by the bar with the number of rows in each state.
struct HTMLFigures {
    let summary: ReportSummary

    /// Finished rows come first, because the recipient of the tags looks for them first.
    private static let states: [RowState] = [.sealed, .proven, .written, .bound, .failed, .pending]

    /// The CSS class of verified rows whose tags are not locked or protected yet.
    static let openKind = "open"

    var html: String {
        "<dl class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</dl>\n" + states
    }

    private var tiles: [String] {
        let counts = summary.counts
        let (failed, unfinished) = (counts.failed, counts.interrupted + counts.waitingForSeal)
        let details =
            (counts.verified == counts.provisioned ? [] : ["\(Figure.grouped(counts.verified)) verified"])
            + (counts.locked == 0 ? [] : ["\(Figure.grouped(counts.locked)) locked"])
            + (counts.protected == 0 ? [] : ["\(Figure.grouped(counts.protected)) protected"])
        let median = summary.durations.median
        let rate = summary.pace.tagsPerMinute
        return [
            tile("Rows", summary.rows, note: "in the plan"),
            tile("Provisioned", counts.provisioned, note: details.joined(separator: ", ")),
            tile("Left", counts.left, note: unfinished > 0 ? "\(Figure.grouped(unfinished)) with a tag" : ""),
            tile("Failed", failed, note: failed > 0 ? "rows and their tags" : "", kind: failed > 0 ? "bad" : ""),
            tile("Refused tags", summary.refusedTags, note: refusedNote),
            tile(
                "Yield", Figure.share(counts.provisioned, of: summary.tags),
                note: "of \(Figure.grouped(summary.tags)) tag\(summary.tags == 1 ? "" : "s")"),
            tile("Time per tag", median.map { "\(Figure.short($0))\u{202F}s" } ?? "–", note: "median"),
            tile("Tags per minute", rate.map(Figure.short) ?? "–", note: "while working"),
        ]
    }

    private var refusedNote: String {
        if summary.changedTags > 0 { return "\(Figure.grouped(summary.changedTags)) verified before" }
        return summary.refusedTags > 0 ? "no rows used" : ""
    }

    private func tile(_ name: String, _ number: Int, note: String, kind: String = "") -> String {
        tile(name, Figure.grouped(number), note: note, kind: kind)
    }

    private func tile(_ name: String, _ value: String, note: String, kind: String = "") -> String {
        let kind = kind.isEmpty ? "" : " class=\"\(kind)\""
        return "<div\(kind)><dt>\(name)</dt><dd>\(value)</dd><dd class=\"note\">\(note)</dd></div>"
    }

    private var states: String {
        let counts = summary.counts
        let closed = RowSeal(lock: counts.locked > 0, protect: counts.protected > 0)
        // If the plan has only locked or only protected tags, mention just the lock or just the password.
        let isOne = closed.lock != closed.protect
        let present = Self.states.flatMap { state -> [(name: String, words: String, count: Int)] in
            let (count, open) = (counts.states[state] ?? 0, state == .proven ? counts.waitingForSeal : 0)
            let parts: [(name: String, words: String, count: Int)] = [
                (state.rawValue, state.words(closed: isOne ? closed : nil), count - open),
                (Self.openKind, "verified, not locked or protected yet", open),
            ]
            return parts.filter { $0.count > 0 }
        }
        guard !present.isEmpty else { return "" }
        let bar = present.map { "<i class=\"\($0.name)\" style=\"flex-grow:\($0.count)\"></i>" }.joined()
        let legend = present.map {
            "<li><i class=\"\($0.name)\"></i>\($0.words) <b>\(Figure.grouped($0.count))</b></li>"
        }
        return """
            <div class="states" aria-hidden="true">\(bar)</div>
            <ul class="legend">\(legend.joined())</ul>

            """
    }
}
