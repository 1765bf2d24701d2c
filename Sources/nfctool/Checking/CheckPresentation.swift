// A check as text: subject, verdict for each phone, findings, tags that the message fits, bytes that can be saved

import Hexadecimal
import NDEF
import PhoneLint
import RecordPresentation
import SafeTag
import TagTypes
import Terminal

struct CheckPresentation {
    private static let minWidth = 24

    private let check: Check
    private let phones: [Phone]
    private let style: Style

    init(_ check: Check, phones: [Phone], style: Style) {
        self.check = check
        self.phones = phones
        self.style = style
    }

    /// Prints the check.
    ///
    /// On a terminal, an empty line follows it.
    func print() { StandardOutput.print(style.isTerminal ? text + "\n" : text) }

    var text: String {
        [subject, verdicts, findings, fits, savings].filter { !$0.isEmpty }
            .joined(separator: style.isTerminal ? "\n\n" : "\n")
    }

    // MARK: Subject

    private var subject: String {
        if let tag = check.tag { return TagPresentation(tag, style: style).text }
        let records = check.message?.records ?? []
        let count = records.count == 1 ? "1 record" : "\(records.count) records"
        let heading = style.paint("\(ByteCount(check.length))", .strong) + style.glyph(" · ", plain: ", ") + count
        return heading + "\n" + RecordTable(records, style: style).text
    }

    // MARK: Verdict for each phone

    private var verdicts: String {
        let width = Phone.allCases.map(\.name.columns).max() ?? 0
        return phones.map { phone in
            let findings = check.findings.filter { $0.phones.contains(phone) }
            let worst = findings.map(\.severity).min()
            return indent + mark(worst) + style.paint(phone.name.padded(to: width), .strong) + "  "
                + style.paint(Self.words(for: findings), worst?.ink ?? .good)
        }.joined(separator: "\n")
    }

    private static func words(for findings: [Finding]) -> String {
        let counts = Severity.allCases.compactMap { severity -> String? in
            let number = findings.count { $0.severity == severity }
            return number == 0 ? nil : "\(number) \(severity)\(number == 1 ? "" : "s")"
        }
        return counts.isEmpty ? "fine" : counts.joined(separator: ", ")
    }

    private func mark(_ severity: Severity?) -> String {
        let glyph =
            switch severity {
            case .error: "✘"
            case .warning: "!"
            case .hint, nil: "✔"
            }
        return style.glyph(
            style.paint(glyph, severity == .hint ? .good : severity?.ink ?? .good, .strong) + " ", plain: "")
    }

    // MARK: Findings

    private var findings: String {
        let width = Severity.allCases.map(\.rawValue.columns).max() ?? 0
        return check.findings.map { finding in
            let label = style.paint(finding.severity.rawValue.padded(to: width), finding.severity.ink)
            let place = finding.record.map { ", record \($0)" } ?? ""
            let who = finding.phones.map(\.name).joined(separator: ", ") + place
            return entry(label, width, [(who + ": " + finding.message, nil), (finding.advice, .faint)])
        }.joined(separator: "\n")
    }

    /// Returns a label with paragraphs to its right, which are wrapped on a terminal.
    private func entry(_ label: String, _ labelWidth: Int, _ paragraphs: [(text: String, ink: Ink?)]) -> String {
        let taken = indent.columns + labelWidth + 2
        let lines = paragraphs.flatMap { paragraph in
            let text = TerminalText.escaped(paragraph.text)
            let parts = style.isTerminal ? text.wrapped(to: max(style.width - taken, Self.minWidth)) : [text]
            return parts.map { style.paint($0, paragraph.ink) }
        }
        return lines.enumerated().map { index, line in
            (index == 0 ? indent + label + "  " : "".padded(to: taken)) + line
        }.joined(separator: "\n")
    }

    // MARK: Tags that it fits

    private var fits: String {
        guard check.length > 0 else { return "" }
        let nameWidth = check.fits.map(\.tag.chip.columns).max() ?? 0
        let capacityWidth = check.fits.map { "\($0.tag.capacity)".columns }.max() ?? 0
        let spareWidth = check.fits.map { "\(abs($0.spare))".columns }.max() ?? 0
        return check.fits.map { fit in
            let ink = fit.fits ? Ink.good : .bad
            let mark = style.glyph(
                style.paint(fit.fits ? "✔" : "✘", ink, .strong) + " ", plain: fit.fits ? "fits  " : "no    ")
            let spare = "\(abs(fit.spare))".leading(spareWidth) + (fit.fits ? " left" : " too many")
            return indent + mark + fit.tag.chip.padded(to: nameWidth) + "  "
                + style.paint("\(fit.tag.capacity)".leading(capacityWidth) + " bytes", .faint) + "  "
                + style.paint(spare, fit.fits ? nil : .bad)
        }.joined(separator: "\n")
    }

    // MARK: Savings

    private var savings: String {
        let labels = check.savings.map { "-\($0.bytes)" }
        let width = labels.map(\.columns).max() ?? 0
        let heading = check.savings.isEmpty ? [] : [indent + style.paint("Shorter, in bytes:", .heading)]
        let lines = zip(check.savings, labels).map { saving, label in
            let place = saving.record.map { "record \($0): " } ?? ""
            return entry(style.paint(label.leading(width), .good), width, [(place + saving.advice, nil)])
        }
        return (heading + lines).joined(separator: "\n")
    }

    private var indent: String { style.isTerminal ? " " : "" }
}

extension Severity {
    fileprivate var ink: Ink {
        switch self {
        case .error: .bad
        case .warning: .warning
        case .hint: .heading
        }
    }
}
