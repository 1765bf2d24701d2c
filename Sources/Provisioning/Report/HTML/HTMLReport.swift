// A report for people: a self-contained HTML page — HTML Living Standard

import Composing
import Foundation

/// Writes the page: verdict, figures, states, rate, failures, rows that need attention, and all rows.
///
/// The page has no script and loads no other file, and its policy forbids both. It can therefore be mailed, printed and
/// archived.
struct HTMLReport {
    let stream: ReportStream
    let clock: ReportClock
    /// The heading, or nil for the name of the plan.
    let title: String?

    func write(_ record: any ProvisioningRecord, written: Date) throws {
        let plan = record.plan
        let summary = try ReportSummary(of: record)
        let title = title ?? Self.name(of: plan)
        stream.append(Self.head(title: title, mark: Self.mark(begun: ReportClock.utc(record.begun))))
        stream.append(header(title, summary))
        stream.append(HTMLFigures(summary: summary).html)
        stream.append(dates(begun: record.begun, summary, plan))
        if let chart = RateChart(of: summary.pace, clock: clock) {
            stream.append("<section>\n<h2>Rate</h2>\n\(chart.html)</section>\n")
        }
        stream.append(HTMLFailures(summary: summary).html)
        try HTMLReleasedTags(stream: stream, clock: clock).write(of: record)
        let table = HTMLRowTable(stream: stream, clock: clock, summary: summary)
        try table.writeUnfinished(of: record)
        try table.writeAll(of: record)
        stream.append(foot(written: written))
    }

    /// The name of the plan's file, without its folder.
    static func name(of plan: PlanIdentity) -> String {
        plan.file.split(separator: "/").last.map(String.init) ?? plan.file
    }

    /// Whether the page certifies that the whole plan was carried out.
    static func isComplete(_ summary: ReportSummary) -> Bool {
        summary.rows > 0 && summary.counts.isComplete && summary.changedTags == 0
    }

    /// The element that names the program that created the page.
    static let generator = #"<meta name="generator" content="nfctool"/>"#

    /// Returns the element that identifies the journal of a delivery report by the time when the journal was started.
    static func mark(begun: String) -> String { #"<meta name="nfctool-begun" content="\#(begun)"/>"# }

    static func head(title: String, mark: String = "") -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        \(Self.generator)\(mark)
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <title>\(title.escapedForHTML)</title>
        <style>
        \(HTMLStyle.sheet)
        </style>
        </head>
        <body>
        <main>

        """
    }

    private func header(_ title: String, _ summary: ReportSummary) -> String {
        let isComplete = Self.isComplete(summary)
        return """
            <header>
            <div>
            <p class="eyebrow">\(isComplete ? "Delivery certificate" : "Delivery report")</p>
            <h1>\(title.escapedForHTML)</h1>
            <p class="verdict">\(Self.verdict(summary))\(Self.changes(summary))</p>
            <p class="lede">\(Self.lede(summary))</p>
            </div>
            \(Self.ring(summary, isComplete: isComplete))
            </header>

            """
    }

    static func verdict(_ summary: ReportSummary) -> String {
        let (rows, done) = (summary.rows, summary.counts.provisioned)
        let all = "\(Figure.grouped(rows)) row\(rows == 1 ? "" : "s")"
        if rows == 0 { return "The plan has no rows." }
        if done == 0 {
            return rows == 1 ? "The row is not provisioned yet." : "None of the \(all) is provisioned yet."
        }
        if done == rows { return rows == 1 ? "The row is provisioned." : "All \(all) are provisioned." }
        let left = summary.counts.left
        return """
            \(Figure.grouped(done)) of \(all) \(done == 1 ? "is" : "are") provisioned; \
            \(Figure.grouped(left)) \(left == 1 ? "is" : "are") left.
            """
    }

    /// Sentences about verified tags that were later found to hold something else.
    ///
    /// The result is empty if there are none.
    static func changes(_ summary: ReportSummary) -> String {
        let count = summary.changedTags
        guard count > 0 else { return "" }
        let rows = summary.changedRows.map(Figure.grouped).joined(separator: ", ")
        let more = count > summary.changedRows.count ? ", …" : ""
        let verb = count == 1 ? "tag was" : "tags were"
        return """
             <strong class="bad">\(Figure.grouped(count)) \(verb) changed after verification: \
            row\(count == 1 ? "" : "s") \(rows)\(more).</strong>
            """
    }

    private static func lede(_ summary: ReportSummary) -> String {
        let counts = summary.counts
        guard counts.verified > 0 else {
            return "A tag counts as verified once it has been activated and read again and held its row."
        }
        var text = "Each verified tag was activated and read again, and held its message byte for byte."
        for (number, words) in [(counts.locked, "locked"), (counts.protected, "protected by a password")]
        where number > 0 {
            let isAll = number == counts.verified && number > 1
            text += " \(isAll ? "All" : Figure.grouped(number)) \(number == 1 ? "is" : "are") \(words)."
        }
        let genuine = summary.signatures["genuine"] ?? 0
        if genuine > 0 {
            let verb = genuine == 1 ? "carries" : "carry"
            text += " \(Figure.grouped(genuine)) \(verb) a genuine signature of the chip’s maker."
        }
        if let forged = summary.signatures["notGenuine"] {
            let verb = forged == 1 ? "carries" : "carry"
            text += " <strong class=\"bad\">\(Figure.grouped(forged)) \(verb) a signature that is not genuine.</strong>"
        }
        return text
    }

    private static func ring(_ summary: ReportSummary, isComplete: Bool) -> String {
        let circumference = 2 * Double.pi * 52
        let part = summary.rows == 0 ? 0 : Double(summary.counts.provisioned) / Double(summary.rows)
        let arc =
            part == 0
            ? ""
            : """
            <circle class="arc" cx="60" cy="60" r="52" transform="rotate(-90 60 60)" \
            stroke-dasharray="\(Figure.decimal(part * circumference, places: 1)) 400"/>
            """
        // If all rows are provisioned but the plan is not complete, a tag was changed afterwards.
        let share = part == 1 ? "!" : "\(Int(min(99, part * 100)))<tspan class=\"unit\">\u{202F}%</tspan>"
        let middle =
            isComplete
            ? "<path class=\"tick\" d=\"M39 61.5 53.5 76 82 46\"/>"
            : """
            <text x="60" y="60" dy="0.35em" text-anchor="middle">\
            \(share)</text>
            """
        return """
            <svg class="ring" viewBox="0 0 120 120" role="img" \
            aria-label="\(Figure.share(summary.counts.provisioned, of: summary.rows)) provisioned">\
            <circle class="track" cx="60" cy="60" r="52"/>\(arc)\(middle)</svg>
            """
    }

    private func dates(begun: Date, _ summary: ReportSummary, _ plan: PlanIdentity) -> String {
        var items = title == nil ? [] : [("Plan", Self.name(of: plan).escapedForHTML)]
        items.append(("Started", "\(clock.dayAndTime(begun)) \(clock.name)"))
        if let last = summary.pace.span?.last ?? summary.lastChange {
            items.append(("Last tag", "\(clock.dayAndTime(last)) \(clock.name)"))
        }
        if let version = plan.keyVersion { items.append(("Key version", "\(version)")) }
        let uri = "\(RecordOption.Name.uri.option) "
        for template in plan.recipe where template.hasPrefix(uri) {
            items.append(("Written", template.dropFirst(uri.count).description.escapedForHTML))
        }
        // Other templates may contain a password, so only their kinds are shown.
        let others = RecordOption.Name.allCases.filter { name in
            name != .uri && plan.recipe.contains { $0 == name.option || $0.hasPrefix(name.option + " ") }
        }
        if !others.isEmpty {
            let isAlso = plan.recipe.contains { $0.hasPrefix(uri) }
            items.append((isAlso ? "Also written" : "Written", others.map(\.rawValue).joined(separator: ", ")))
        }
        let list = items.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>" }.joined(separator: "\n")
        // The plan of a range has no file, and therefore no digest.
        let hash =
            plan.isRange
            ? ""
            : """

            <div class="hash"><dt>SHA-256 of the plan’s file</dt><dd><code>\(plan.sha256.escapedForHTML)</code></dd></div>
            """
        return """
            <dl class="facts">
            \(list)\(hash)
            </dl>

            """
    }

    private func foot(written: Date) -> String {
        """
        <footer>
        <dl>
        <div><dt>provisioned</dt><dd>Verified, and locked and protected if the plan asks for it.</dd></div>
        <div><dt>verified</dt><dd>Activated and read again, the tag held the row’s message byte for byte.</dd></div>
        <div><dt>locked, protected</dt><dd>Verified, then locked, or protected by a password.</dd></div>
        <div><dt>bound, written</dt><dd>The row belongs to a tag that was not verified; no other tag gets it.</dd></div>
        <div><dt>SHA-256</dt><dd>Of the message on the tag. Shortened here; copy it to get the whole digest.</dd></div>
        <div><dt>signature</dt><dd><span class="good">✔</span> the chip’s maker signed this UID ·
        <span class="bad">✘</span> not genuine · – not checked, or the chip has none</dd></div>
        </dl>
        <p>Written by nfctool on \(clock.longDay(written)) at \(clock.time(written)) \(clock.name).</p>
        </footer>
        </main>
        </body>
        </html>

        """
    }
}
