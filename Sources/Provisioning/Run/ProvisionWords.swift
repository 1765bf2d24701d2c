// The progress of a plan as text for people

import Foundation

extension ProvisionSummary {
    /// The progress of the plan and the results of this run, as a short text.
    public var text: String {
        """
        \(counts.text). This run: \(provenNow) provisioned and \(refusedNow) refused in \(ProvisionFigure.clock(elapsed))
        """
    }
}

extension ProvisionSummary {
    /// A sentence that names the rows for which the command failed, or nil if it failed for none.
    public var commandFailureText: String? {
        guard commandFailures > 0 else { return nil }
        let named = commandFailedRows.map(String.init).joined(separator: ", ")
        guard commandFailures > 1 else { return "The command failed for row \(named)." }
        let more = commandFailures - commandFailedRows.count
        return "The command failed for \(commandFailures) rows: \(named)\(more > 0 ? " and \(more) more" : "")."
    }
}

extension ProvisionCounts {
    /// All counts as a short text, for example `5 rows: 3 provisioned (3 locked), 1 without a tag, 1 interrupted`.
    public var text: String { text(beingWritten: 0) }

    /// Returns all counts as a short text, including the number of rows that are being written now.
    ///
    /// Among the rows that are being written, `sealing` rows are already verified and wait only for a lock or password.
    package func text(beingWritten: Int, verified sealing: Int = 0) -> String {
        let waitingForSeal = max(0, waitingForSeal - sealing)
        let interrupted = max(0, interrupted - max(0, beingWritten - sealing))
        let details =
            (verified == provisioned ? [] : ["\(verified) verified"]) + (locked == 0 ? [] : ["\(locked) locked"])
            + (protected == 0 ? [] : ["\(protected) protected"])
        var parts = ["\(provisioned) provisioned" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")]
        if beingWritten > 0 { parts.append("\(beingWritten) being written") }
        if waitingForSeal > 0 { parts.append("\(waitingForSeal) not locked or protected yet") }
        if pending > 0 { parts.append("\(pending) without a tag") }
        if interrupted > 0 { parts.append("\(interrupted) interrupted") }
        if failed > 0 { parts.append("\(failed) failed") }
        return "\(rows == 1 ? "1 row" : "\(rows) rows"): \(parts.joined(separator: ", "))"
    }
}

extension RowState {
    /// Returns the state in words, as reports and errors show it.
    ///
    /// `closed` is the lock and password that the tag got, or nil if this is not known.
    package func words(closed: RowSeal? = nil) -> String {
        switch self {
        case .proven: "verified"
        case .sealed:
            switch (closed?.lock, closed?.protect) {
            case (true?, true?): "locked, protected"
            case (true?, false?): "locked"
            case (false?, true?): "protected"
            default: "locked or protected"
            }
        case .pending, .bound, .written, .failed: rawValue
        }
    }
}

/// Formats numbers for people to read.
package enum ProvisionFigure {
    /// Formats seconds, for example `0.31 s`.
    package static func seconds(_ seconds: Double) -> String { "\(fixed(seconds, 2)) s" }

    /// Formats a duration in the style of a clock, for example `12:31` or `1:02:31`.
    package static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].drop { $0 == 0 }.suffix(3)
        let shown = parts.count < 2 ? [seconds / 60, seconds % 60] : Array(parts)
        return shown.enumerated().map { ($0 > 0 && $1 < 10 ? "0" : "") + "\($1)" }.joined(separator: ":")
    }

    /// Formats an estimated duration, for example `about 14 min`.
    ///
    /// Estimates are not precise enough to give seconds.
    package static func about(_ duration: Duration) -> String {
        let minutes = duration / .seconds(60)
        guard minutes >= 1 else { return "under a minute" }
        guard minutes < 90 else {
            let hours = minutes / 60
            return hours < 48 ? "about \(Int(hours.rounded())) h" : "about \(fixed(min(hours / 24, 1e6), 0)) days"
        }
        return "about \(Int(minutes.rounded())) min"
    }

    /// Formats a share as a percentage, for example `98.6 %`.
    ///
    /// Only the whole is 100 %, and only nothing is 0 %.
    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part < whole else { return "100 %" }
        guard part > 0 else { return "0 %" }
        return fixed(min(max(Double(part) / Double(whole) * 100, 0.1), 99.9), 1) + " %"
    }

    /// Formats a number with a decimal point in every locale.
    package static func fixed(_ number: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), number)
    }
}
