// One line for one event of a provisioning, where there is no terminal view and in its list — Docs/CommandLine.md

import Foundation
import Provisioning
import Terminal

/// Tells what became of a tag or a reader, and when.
struct ProvisionLine {
    private let style: Style
    private let rowDigits: Int
    private let namesReaders: Bool

    /// On terminals narrower than this the chip is left out, and then the time.
    private static let (chipWidth, clockWidth) = (72, 56)
    /// A UID of seven bytes, and a name as NTAG213.
    private static let (uidColumns, chipColumns) = (14, 7)

    /// - Parameters:
    ///   - rows: how many rows the plan has: their numbers stand below each other.
    ///   - readers: how many readers are at work; with more than one each line says which.
    init(_ style: Style, rows: Int, readers: Int) {
        self.style = style
        rowDigits = "\(rows)".count
        namesReaders = readers > 1
    }

    /// The line of an event; nil for those that only say what is going on.
    ///
    /// On a terminal it is cut to the width; elsewhere it is whole, and says in words what marks and colours say there.
    func text(_ event: ProvisionEvent, at time: Date) -> String? {
        guard let body = body(event) else { return nil }
        var line = InkedText("")
        if !style.isTerminal || style.width >= Self.clockWidth {
            line += InkedText(Self.clock(time), .faint) + InkedText("  ")
        }
        line += body
        return (style.isTerminal ? line.cut(to: style.width) : line).painted(style)
    }

    private func body(_ event: ProvisionEvent) -> InkedText? {
        switch event {
        case .readerOpened(let reader):
            return mark("●", .link) + InkedText("reader \(reader)")
        case .readerLost(let reader, _, let reason):
            return mark("○", .bad) + InkedText("reader \(reader) lost", .bad) + InkedText("  \(reason)")
        case .weakField(let reader, let troubled, let count):
            return mark("!", .warning) + InkedText("reader \(reader)", .warning)
                + InkedText(
                    "  \(troubled) of the last \(count) tags had trouble. Look at the antenna: metal nearby, the distance, "
                        + "the place where tags are held.")
        case .initialising(let tag, _, let target):
            return mark("!", .warning) + InkedText("\(tag.uid) is blank", .warning)
                + InkedText("  \(QuestionText.facts(ofInitialising: target))")
        case .started, .removed:
            return nil
        case .ended(let summary):
            return mark("■", .heading) + InkedText(summary.text)
        case .finished(_, _, _, let proof, _):
            let facts = InkedText("  \(proof.messageLength) bytes  \(ProvisionFigure.seconds(proof.seconds))", .faint)
            return verdict(event, facts)
        default:
            return verdict(event)
        }
    }

    private func verdict(_ event: ProvisionEvent, _ facts: InkedText = InkedText("")) -> InkedText? {
        guard let verdict = ProvisionVerdict(event) else { return nil }
        var line = mark(verdict.kind.mark, verdict.kind.ink)
        line += InkedText(verdict.tag.uid.padded(to: Self.uidColumns), .strong)
        if !style.isTerminal || style.width >= Self.chipWidth {
            line += InkedText("  " + verdict.tag.chip.padded(to: Self.chipColumns))
        }
        if let row = verdict.row {
            line += InkedText("  row " + String(repeating: " ", count: max(0, rowDigits - "\(row.number)".count)))
            line += InkedText("\(row.number)")
        } else {
            line += InkedText("  ") + InkedText("refused".padded(to: "row ".columns + rowDigits), .bad)
        }
        line += InkedText("  ") + InkedText(verdict.words, verdict.kind.ink)
        if let reason = verdict.reason { line += InkedText(": ") + InkedText(reason) }
        if let advice = verdict.advice { line += InkedText("  \(advice)", .faint) }
        line += facts
        if namesReaders { line += InkedText("  \(verdict.tag.reader)", .faint) }
        return line
    }

    private func mark(_ mark: String, _ ink: Ink) -> InkedText {
        style.isDecorated ? InkedText(mark, ink) + InkedText(" ") : InkedText("")
    }

    /// Hours, minutes and seconds here.
    private static func clock(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "--:--:--" }
        return [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}

extension ProvisionSummary {
    /// How far the plan has come, in one sentence.
    var text: String {
        """
        \(counts.text). This run: \(provenNow) provisioned and \(refusedNow) refused in \(ProvisionFigure.clock(elapsed))
        """
    }
}

extension ProvisionCounts {
    /// All of them in a few words, for example `5 rows: 3 provisioned (3 locked), 1 without a tag, 1 interrupted`.
    var text: String {
        let details =
            (verified == provisioned ? [] : ["\(verified) verified"]) + (locked == 0 ? [] : ["\(locked) locked"])
        var parts = ["\(provisioned) provisioned" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")]
        if waitingForSeal > 0 { parts.append("\(waitingForSeal) not locked or protected yet") }
        if pending > 0 { parts.append("\(pending) without a tag") }
        if interrupted > 0 { parts.append("\(interrupted) interrupted") }
        if failed > 0 { parts.append("\(failed) failed") }
        return "\(rows == 1 ? "1 row" : "\(rows) rows"): \(parts.joined(separator: ", "))"
    }
}

/// Numbers as people read them.
enum ProvisionFigure {
    /// For example `0.31 s`.
    static func seconds(_ seconds: Double) -> String { "\(fixed(seconds, 2)) s" }

    /// For example `12:31`, or `1:02:31`.
    static func clock(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].drop { $0 == 0 }.suffix(3)
        let shown = parts.count < 2 ? [seconds / 60, seconds % 60] : Array(parts)
        return shown.enumerated().map { ($0 > 0 && $1 < 10 ? "0" : "") + "\($1)" }.joined(separator: ":")
    }

    /// For example `about 14 min`: a time that far away is not told to the second.
    static func about(_ duration: Duration) -> String {
        let minutes = duration / .seconds(60)
        guard minutes >= 1 else { return "under a minute" }
        guard minutes < 90 else {
            let hours = minutes / 60
            return hours < 48 ? "about \(Int(hours.rounded())) h" : "about \(fixed(min(hours / 24, 1e6), 0)) days"
        }
        return "about \(Int(minutes.rounded())) min"
    }

    /// For example `98.6 %`: all of them only when it is all, none only when it is none.
    static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part < whole else { return "100 %" }
        guard part > 0 else { return "0 %" }
        return fixed(min(max(Double(part) / Double(whole) * 100, 0.1), 99.9), 1) + " %"
    }

    /// With a point in every language.
    static func fixed(_ number: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), number)
    }
}
