// The tables of rows in an HTML report

import Foundation
import Hexadecimal

/// The tables of the rows that need attention and of all rows, up to the number that fits on a page.
struct HTMLRowTable {
    private static let rowLimit = 5000
    private static let unfinishedLimit = 500
    private static let unfinishedStates: Set<RowState> = [.bound, .written, .failed]

    let stream: ReportStream
    let clock: ReportClock
    let summary: ReportSummary

    /// Thrown to stop the iteration over the rows when the page is full.
    private struct PageIsFull: Error {}

    private var unfinishedRows: Int {
        Self.unfinishedStates.reduce(0) { $0 + (summary.counts.states[$1] ?? 0) }
            + summary.counts.waitingForSeal + summary.changedTags
    }

    /// The states of rows that may need attention.
    private var statesWithUnfinished: Set<RowState> {
        Self.unfinishedStates
            .union(summary.counts.waitingForSeal > 0 ? [.proven] : [])
            .union(summary.changedTags > 0 ? [.proven, .sealed] : [])
    }

    /// Whether a row needs attention, because its tag is not finished or was changed after verification.
    private func needsAttention(_ row: JournalRow) -> Bool {
        Self.unfinishedStates.contains(row.state) || summary.rule.isOpen(row) || summary.rule.isChanged(row)
    }

    func writeUnfinished(of record: any ProvisioningRecord) throws {
        let count = unfinishedRows
        guard count > 0 else { return }
        stream.append(
            """
            <section>
            <h2>Rows that need attention</h2>
            <table class="care">
            <thead><tr><th scope="col" class="n">Row</th><th scope="col">State</th><th scope="col">Tag</th>\
            \(stationTitle)<th scope="col">What happened, and what to do</th></tr></thead>
            <tbody>

            """)
        try forEachRow(
            of: record, in: statesWithUnfinished, atMost: Self.unfinishedLimit, where: needsAttention
        ) { row in
            stream.append(
                """
                <tr><th scope="row" class="n">\(row.row.number)</th><td>\(state(row))</td>\
                <td class="uid"><code>\(row.tag?.uid.hex ?? "")</code></td>\(station(row))\
                <td class="why">\(reason(row).escapedForHTML)<span class="do">\(advice(row))</span></td></tr>

                """)
        }
        stream.append("</tbody>\n</table>\n")
        if count > Self.unfinishedLimit {
            stream.append(Self.note("\(Figure.grouped(count - Self.unfinishedLimit)) more not shown"))
        }
        stream.append("</section>\n")
    }

    func writeAll(of record: any ProvisioningRecord) throws {
        guard summary.rows > 0 else { return }
        stream.append("<section>\n<h2>All rows</h2>\n")
        let isCut = summary.rows > Self.rowLimit
        if isCut {
            stream.append(
                Self.note(
                    """
                    Not shown: \(Figure.grouped(summary.rows - Self.rowLimit)) of \(Figure.grouped(summary.rows)) rows; \
                    rows that need attention come first
                    """))
        }
        stream.append(summary.columns.note)
        stream.append(
            """
            <table class="rows">
            <thead><tr><th scope="col" class="n">Row</th><th scope="col">State</th>\(summary.columns.heads)\
            <th scope="col">UID</th><th scope="col">Chip</th>\(stationTitle)<th scope="col" class="n">Bytes</th><th scope="col">SHA-256</th>\
            <th scope="col" class="mark"><abbr title="Signature of the chip’s maker">Sig.</abbr></th>\
            <th scope="col">\(timeTitle)</th></tr></thead>
            <tbody>

            """)
        let all = Set(RowState.allCases)
        if isCut {
            let shown = min(unfinishedRows, Self.rowLimit)
            try forEachRow(of: record, in: statesWithUnfinished, atMost: shown, where: needsAttention, write)
            let finished = all.subtracting(Self.unfinishedStates)
            let isFinished = { (row: JournalRow) in !needsAttention(row) }
            try forEachRow(of: record, in: finished, atMost: Self.rowLimit - shown, where: isFinished, write)
        } else {
            try forEachRow(of: record, in: all, atMost: Self.rowLimit, write)
        }
        stream.append("</tbody>\n</table>\n</section>\n")
    }

    private func forEachRow(
        of record: any ProvisioningRecord, in states: Set<RowState>, atMost limit: Int,
        where isShown: (JournalRow) -> Bool = { _ in true }, _ body: (JournalRow) -> Void
    ) throws {
        guard limit > 0 else { return }
        var count = 0
        do {
            try record.forEachRow(in: states) { row in
                guard isShown(row) else { return }
                body(row)
                try stream.endPart()
                count += 1
                if count == limit { throw PageIsFull() }
            }
        } catch is PageIsFull {}
    }

    private func write(_ row: JournalRow) {
        let sum = row.proof.map { hash in
            "<code title=\"\(hash.sha256.escapedForHTML)\">\(hash.sha256.escapedForHTML)</code>"
        }
        stream.append(
            """
            <tr\(row.tag == nil ? " class=\"idle\"" : "")><th scope="row" class="n">\(row.row.number)</th>\
            <td>\(state(row))</td>\(summary.columns.cells(of: row.row))\
            <td class="uid">\(row.tag.map { "<code>\($0.uid.hex)</code>" } ?? "")</td>\
            <td class="chip">\(row.tag.map { $0.chip.cutForPage.escapedForHTML } ?? "")</td>\(station(row))\
            <td class="n bytes">\(row.proof.map { Figure.grouped($0.messageLength) } ?? "")</td>\
            <td class="sum">\(sum ?? "")</td><td class="mark">\(row.proof.map { mark($0.signature) } ?? "")</td>\
            <td class="time">\(row.tag == nil ? "" : row.changed.map(time) ?? "")</td></tr>

            """)
    }

    private func state(_ row: JournalRow) -> String {
        let kind = summary.rule.isOpen(row) ? HTMLFigures.openKind : row.state.rawValue
        return "<span class=\"state\"><i class=\"\(kind)\"></i>\(summary.rule.words(for: row))</span>"
    }

    private var stationTitle: String { summary.hasStations ? "<th scope=\"col\">Station</th>" : "" }

    /// Returns the table cell with the row's station, or an empty string if no stations share the plan.
    private func station(_ row: JournalRow) -> String {
        guard summary.hasStations else { return "" }
        return "<td class=\"station\">\(row.station.map { $0.cutForPage.escapedForHTML } ?? "")</td>"
    }

    private func mark(_ signature: String?) -> String {
        switch signature {
        case "genuine": "<span class=\"good\" title=\"genuine\">✔</span>"
        case "notGenuine": "<span class=\"bad\" title=\"not genuine\">✘</span>"
        default: "<span title=\"\(signature == nil ? "not checked" : "not supported by the chip")\">–</span>"
        }
    }

    private func reason(_ row: JournalRow) -> String {
        if let reason = summary.rule.reason(for: row), !reason.isEmpty { return reason }
        switch row.state {
        case .written: return "The tag was written completely, but was not read again."
        case .failed: return "No reason was recorded."
        default: return "The run ended before the tag was finished."
        }
    }

    private func advice(_ row: JournalRow) -> String {
        let release = "<code>nfctool provision release \(row.row.number)</code>"
        if summary.rule.isChanged(row) {
            let reset = "<code>nfctool provision reset \(row.row.number)</code>"
            guard summary.rule.isRepairable(row) else {
                return "Set this tag aside. To give the row to another tag: \(reset)"
            }
            return """
                To write the row again, start another run and place this tag on the reader. If the tag holds another \
                message, erase it first. If it lost its password, protect it again. To give the row to another tag: \(reset)
                """
        }
        return row.state == .failed
            ? "Set this tag aside. To give the row to another tag: \(release)"
            : "Place this tag again to finish it automatically. If it is lost: \(release)"
    }

    private var isOneDay: Bool {
        guard let span = summary.pace.span else { return false }
        guard let change = summary.lastChange else { return false }
        return clock.day(span.first) == clock.day(change)
    }

    private var timeTitle: String {
        guard isOneDay, let day = summary.lastChange else { return "Time<br/>\(clock.name)" }
        return "\(clock.shortDay(day))<br/>\(clock.name)"
    }

    private func time(_ date: Date) -> String {
        if isOneDay { return clock.time(date) }
        return "\(clock.day(date)) \(clock.time(date))"
    }

    /// Returns a note in small print that refers to the CSV report for the complete list.
    static func note(_ text: String) -> String {
        "<p class=\"note\">\(text); a <code>.csv</code> report has all of them.</p>\n"
    }
}
