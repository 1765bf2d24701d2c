// A tag as text: after read, write and info, and as one line of scan

import Foundation
import Hexadecimal
import MemoryPresentation
import NDEF
import ReaderInterface
import RecordPresentation
import SafeTag
import TagTypes
import Terminal

struct TagPresentation {
    private let target: Target
    private let name: String
    private let state: NDEFState
    private let records: [NDEFRecord]
    private let memory: MemoryMap?
    private let originality: Originality?
    private let activation: String?
    private let secrets: [[UInt8]]
    private let failure: String?
    private let style: Style

    init(_ reading: TagReading, style: Style) {
        target = reading.target
        name = reading.name
        state = reading.state
        records = reading.message.records
        (memory, originality, activation) = (nil, nil, nil)
        secrets = []
        failure = reading.failure.map { "\($0)" }
        self.style = style
    }

    init(_ tag: TagInspection, style: Style) {
        target = tag.target
        name = tag.name
        state = tag.state
        records = []
        (memory, originality) = (tag.memory, tag.originality)
        activation = tag.file == nil ? tag.target.activationText : nil
        secrets = tag.secrets
        failure = nil
        self.style = style
    }

    /// Prints the whole text: the chip, how full the tag is, and its records or its memory.
    ///
    /// On a terminal, an empty line follows, which separates the tag from the next one.
    func print() { StandardOutput.print(style.isTerminal ? text + "\n" : text) }

    /// Prints what was done to the tag and what it holds now.
    ///
    /// Prints nothing if `isQuiet` is set.
    func print(_ changes: [ChangeOutcome], isQuiet: Bool) {
        let sentences = changes.map(sentence).joined(separator: " ")
        if !isQuiet { StandardOutput.print(text(after: changes), after: sentences) }
    }

    /// Prints the tag as an event of a scan.
    func printLine(at time: Date) { StandardOutput.print(line(at: time)) }
}

extension TagPresentation {
    var text: String { sections([heading + "\n" + stateLine, RecordTable(records, style: style).text, memoryText]) }

    func text(after changes: [ChangeOutcome]) -> String {
        let mark = style.glyph(style.paint("✓", .good, .strong) + " ", plain: "")
        let sentences = changes.map { mark + fitted(sentence(for: $0)) + "\n" }.joined()
        return sections([sentences + stateLine, RecordTable(records, style: style).text])
    }

    /// Returns the sentence.
    ///
    /// On a terminal, it is broken at spaces into lines with the same indentation.
    private func fitted(_ sentence: String) -> String {
        guard style.isTerminal else { return sentence }
        return sentence.fitted(to: style.width - indent.count).replacing("\n", with: "\n" + indent)
    }

    private func sentence(for change: ChangeOutcome) -> String {
        change.sentence(tag: "\(TerminalText.escaped(name)) \(uid)", length: state.messageLength ?? 0)
    }

    /// Returns the tag as one line.
    ///
    /// On a terminal, text that does not fit follows below, with a line for each record.
    func line(at time: Date) -> String {
        let chip = TerminalText.escaped(name)
        let (event, facts) = (EventLine(style: style), "\(chip)  \(shortSummary)")
        guard style.isTerminal, facts.columns > event.room(for: uid, at: time) else {
            return event.line(.arrived, uid: uid, facts, at: time)
        }
        return ([event.line(.arrived, uid: uid, chip, at: time)] + longSummary).joined(separator: "\n")
    }

    private func sections(_ sections: [String]) -> String {
        sections.filter { !$0.isEmpty }.joined(separator: style.isTerminal ? "\n\n" : "\n")
    }

    private var memoryText: String {
        memory.map {
            MemoryGrid(
                $0, originality: originality, activation: activation, style: style, hiding: secrets
            ).text
        } ?? ""
    }

    private var uid: String { target.identifier.hex }

    private var heading: String {
        let chip = TerminalText.escaped(name)
        let type = TagDetection.tagType(of: target).type?.description
        let facts = [type == chip ? nil : type, uid.isEmpty ? nil : "UID \(uid)"].compactMap { $0 }
        return style.glyph(style.paint("●", stateInk) + " ", plain: "") + style.paint(chip, .strong)
            + facts.map { style.glyph(style.paint(" · ", .faint), plain: ", ") + $0 }.joined()
    }

    /// The state in a word, how full the tag is, and the reason if the tag cannot be read or written.
    private var stateLine: String {
        let bar = CapacityBar(used: state.messageLength ?? 0, capacity: state.capacity, style: style).text
        let head = style.paint(stateWord, stateInk)
        let first = hasNDEF ? [head, bar].joined(separator: style.glyph("  ", plain: ", ")) : head
        guard let reason = failure ?? (state.reason ?? state.rights?.filling).map({ $0 + outlook }) else {
            return indent + first
        }
        guard style.isTerminal else { return "\(first): \(TerminalText.escaped(reason))" }
        let lines = TerminalText.escaped(reason).wrapped(to: style.width - indent.count)
        return ([first] + lines.map { style.paint($0, .faint) }).map { indent + $0 }.joined(separator: "\n")
    }

    private var indent: String { style.glyph("  ", plain: "") }

    private var hasNDEF: Bool { failure == nil && state.status != .notSupported }

    private var outlook: String {
        if state.needsKey { return "; give the card's keys with --key-file FILE" }
        return state.isBlank ? "; once initialised, it can hold a message of up to \(ByteCount(state.capacity))" : ""
    }

    private var stateWord: String {
        let isEmpty = state.messageLength == 0
        return switch state.status {
        case _ where failure != nil: "not readable"
        case .notSupported: state.isBlank ? "blank" : "no NDEF data"
        case .readWrite where state.rights?.keys?.isEmpty ?? false:
            isEmpty ? "empty, read-only" : "read-only"
        case .readWrite where state.rights.map { $0.isDynamic && $0.keys == nil } ?? false:
            // Anyone may write to the tag, but the tag would replace parts of the new message.
            "writable with sdm setup"
        case .readWrite:
            (isEmpty ? "empty, writable" : "writable") + (state.rights?.keyList.map { " with \($0)" } ?? "")
        case .readOnly: isEmpty ? "empty, read-only" : "read-only"
        }
    }

    private var stateInk: Ink {
        switch state.openStatus {
        case _ where failure != nil: .bad
        case .readWrite: .good
        case .readOnly: .warning
        case .notSupported: state.isBlank ? .warning : .bad
        }
    }

    /// The content of the tag in a few words.
    private var shortSummary: String {
        guard hasNDEF, !records.isEmpty else { return summaryWithoutRecords }
        let summaries = RecordSummary.all(records)
        return summaries.map { "\($0.kind): \($0.value)" }.joined(separator: style.glyph(" · ", plain: "  "))
    }

    private var summaryWithoutRecords: String { stateWord + (failure.map { ": " + TerminalText.escaped($0) } ?? "") }

    /// The content of the tag as lines to be shown below its first line.
    ///
    /// Links are complete and are not broken here, so that they can be copied. The terminal wraps them. Other content
    /// is broken at spaces and cut after a few lines.
    private var longSummary: [String] {
        let width = style.width - Self.summaryIndent.count
        let texts: [(text: String, isLink: Bool)] =
            hasNDEF && !records.isEmpty
            ? RecordSummary.all(records).map { (text: "\($0.kind): \($0.value)", isLink: $0.ink == .link) }
            : [(text: summaryWithoutRecords, isLink: false)]
        return texts.flatMap { $0.isLink ? [$0.text] : $0.text.wrapped(to: width, limit: Self.maxSummaryLines) }
            .map { Self.summaryIndent + $0 }
    }

    private static let summaryIndent = "          "
    private static let maxSummaryLines = 3
}
