// One reader on the board: its tag, the result for the last tag, and what the operator must do now

import MemoryPresentation
import Provisioning
import Terminal

/// The tags that can be continued or get a row now.
enum NextTag {
    /// Every tag that suits the plan.
    case any
    /// Only tags that already have a row, because the plan has no rows left.
    case withRow
    /// None, because the database is away.
    case none
}

/// The state of a reader on the board.
package struct ProvisionBoardReader: Sendable {
    private(set) var name: String
    private let labels: RowLabels
    /// The reason why the reader is not used, or nil if it is in use.
    private(set) var absence: String?
    /// The tag to which a row is being written, and the row, or nil if there is none.
    private(set) var current: (tag: ProvisionedTag, row: PlanRow)?
    private(set) var verdict: ProvisionVerdict?
    /// Whether the tag that the verdict is about is still on the reader.
    private(set) var isTagThere = false
    private var wasOpen = false
    private var goodInARow = 0
    /// The number of consecutive good tags that end an alarm.
    private static let calm = 5
    /// A problem that needs the operator's attention, or nil if there is none.
    private var alarm: String?

    init(name: String, labels: RowLabels) {
        self.name = name
        self.labels = labels
    }

    // MARK: Events

    mutating func opened(as name: String) {
        self.name = name
        absence = nil
        wasOpen = true
    }

    mutating func lost(because reason: String) {
        absence = reason
        current = nil
        isTagThere = false
    }

    mutating func started(_ tag: ProvisionedTag, _ row: PlanRow) {
        current = (tag, row)
        isTagThere = true
    }

    mutating func ended(with verdict: ProvisionVerdict) {
        goodInARow = verdict.kind == .good || verdict.kind == .known ? goodInARow + 1 : 0
        if goodInARow >= Self.calm { alarm = nil }
        self.verdict = verdict
        current = nil
        isTagThere = verdict.kind != .again
    }

    mutating func alarmed(_ text: String) { alarm = text }

    mutating func removed(_ tag: ProvisionedTag) {
        if current?.tag.uid == tag.uid { current = nil }
        if current == nil { isTagThere = false }
    }

    /// Whether this reader is out of use and may be the one that is now opened under this name.
    func mayComeBack(as name: String) -> Bool {
        guard absence != nil else { return false }
        return !wasOpen || self.name.prefix { $0 != ":" } == name.prefix { $0 != ":" }
    }

    // MARK: Lines

    /// Whether the reader has nothing to do until the database is back.
    ///
    /// Until then, the run does not look for tags, so it does not notice that a tag leaves.
    private func isWaiting(for next: NextTag) -> Bool { next == .none && current == nil }

    /// Returns the sign that is visible from a distance.
    private func sign(_ next: NextTag) -> ProvisionSign {
        if absence != nil || isWaiting(for: next) { return .lost }
        if current != nil { return .working }
        return verdict.map { .verdict($0.kind) } ?? .empty
    }

    private func headline(_ next: NextTag) -> InkedText {
        if let absence { return InkedText("Reader lost: \(absence)", .bad, .strong) }
        if isWaiting(for: next) { return InkedText("The database is away", .bad, .strong) }
        if let current { return InkedText("Writing row \(labels.name(of: current.row))", .heading) }
        guard let verdict else { return InkedText("Ready", .heading) }
        let row = verdict.row.map { "row \(labels.name(of: $0)) " } ?? ""
        switch verdict.kind {
        case .good: return InkedText("Good: \(row)\(verdict.words)", .good, .strong)
        case .known: return InkedText("Done before: \(row)", .uid, .strong)
        case .flawed: return InkedText("Good, but: \(row)\(verdict.words)", .warning, .strong)
        case .again: return InkedText("Again: \(row)\(verdict.words)", .warning, .strong)
        case .bad: return InkedText("Bad: \(row)\(verdict.words)", .bad, .strong)
        }
    }

    private func tagFacts(_ next: NextTag) -> InkedText? {
        guard absence == nil, !isWaiting(for: next) else { return nil }
        return (current?.tag ?? verdict?.tag).map { InkedText($0.uid, .strong) + InkedText("  \($0.chip)") }
    }

    private func instruction(_ next: NextTag) -> InkedText {
        if absence != nil { return InkedText("The run continues when the reader is back.") }
        if current != nil { return InkedText("Hold it still.") }
        if isWaiting(for: next) {
            guard verdict?.kind == .again, let tag = verdict?.tag else {
                return InkedText("Wait. No tag gets a row until the database is back.", .strong)
            }
            return InkedText("Wait, then place it again: \(tag.uid)", .warning, .strong)
        }
        if verdict?.kind == .again, let tag = verdict?.tag, !isTagThere {
            return InkedText("Place it again: \(tag.uid)", .warning, .strong)
        }
        if isTagThere {
            return InkedText(verdict?.isOneOfSeveral == true ? "Remove all tags but one." : "Remove it.", .strong)
        }
        if next == .withRow { return InkedText("Place a tag that is not finished.", .strong) }
        return InkedText("Place the \(verdict == nil ? "first" : "next") tag on the reader.", .strong)
    }

    /// The alarm, or nil if there is none or the reader is not connected.
    private var warning: InkedText? {
        absence == nil ? alarm.map { InkedText("! \($0)", .warning, .strong) } : nil
    }

    /// Returns the reason why the last tag is not good, and the advice.
    private func explanation(_ next: NextTag, width: Int) -> [String] {
        guard absence == nil, current == nil, !isWaiting(for: next), let verdict else { return [] }
        // If the tag must be placed again, the instruction already contains the advice.
        return [verdict.reason, verdict.kind == .again ? nil : verdict.advice].compactMap { $0 }.flatMap {
            TerminalText.escaped($0).wrapped(to: width, limit: 2)
        }
    }

    /// Returns the panel in the form ``Form/large``, with a sign that is visible from a distance.
    private func large(_ next: NextTag, width: Int) -> [InkedText] {
        let textWidth = width - ProvisionSign.columns - Self.margin
        var texts = [headline(next)]
        let explanation = explanation(next, width: textWidth)
        if let facts = tagFacts(next) { texts.append(facts) }
        let instruction = instruction(next)
        let sign = sign(next)
        if let warning { texts.append(warning) }
        texts += explanation.prefix(Form.large.lines - 1 - texts.count).map { InkedText($0) }
        texts.append(instruction)
        return (0..<Form.large.lines).map { line in
            guard line < texts.count else {
                return line < ProvisionSign.lines ? InkedText("  ") + sign.line(line) : InkedText("")
            }
            return InkedText("  ") + sign.line(line) + InkedText("   ") + texts[line]
        }
    }

    private func small(_ next: NextTag, width: Int) -> [InkedText] {
        var first = sign(next).small + InkedText(" ") + headline(next)
        if let facts = tagFacts(next) { first += InkedText("  ") + facts }
        var second = InkedText("  ") + instruction(next)
        if let warning { second += InkedText("  ") + warning }
        for text in explanation(next, width: width).reversed() where second.columns + text.columns + 2 <= width {
            second += InkedText("  " + text, .faint)
        }
        return [first, second]
    }

    private static let margin = 5

    /// The amount of space that a reader's panel takes up.
    enum Form: CaseIterable {
        case large, small, line

        var lines: Int {
            switch self {
            case .large: 5
            case .small: 2
            case .line: 1
            }
        }
    }

    /// Returns the reader's panel in the given form.
    ///
    /// Only the form `line` shows `name`. The other forms do not show the reader's name.
    func lines(_ form: Form, _ name: String, width: Int, next: NextTag) -> [InkedText] {
        switch form {
        case .large: large(next, width: width)
        case .small: small(next, width: width)
        case .line: [line(next, name, width: width)]
        }
    }

    /// Returns the panel as one line.
    ///
    /// If there is no room for both, the alarm replaces the last tag.
    private func line(_ next: NextTag, _ name: String, width: Int) -> InkedText {
        let start = sign(next).small + InkedText(" \(name)  ", .faint)
        let headline = headline(next)
        guard let warning else { return start + headline }
        let whole = start + headline + InkedText("  ") + warning
        return whole.columns <= width ? whole : start + warning + InkedText("  ") + headline
    }
}

/// A sign in block characters, three lines high.
private enum ProvisionSign {
    case empty, working, lost
    case verdict(ProvisionVerdict.Kind)

    static let columns = 7
    static let lines = 3

    private var picture: [String] {
        switch self {
        case .empty: ["   █   ", " ▄ █ ▄ ", "  ▀█▀  "]
        case .working: ["       ", "▄  ▄  ▄", "▀  ▀  ▀"]
        case .lost, .verdict(.bad): ["█▄   ▄█", " ▀███▀ ", "▄█▀ ▀█▄"]
        case .verdict(.good): ["     ▄█", "█▄ ▄█▀ ", " ▀█▀   "]
        case .verdict(.known): ["▄▄▄▄▄▄▄", "▄▄▄▄▄▄▄", "       "]
        case .verdict(.flawed): ["   █   ", "   █   ", "   ▄   "]
        case .verdict(.again): [" ▄▀▀▄ ▄", "█    ▀█", " ▀▄▄▀▀▀"]
        }
    }

    private var ink: Ink {
        switch self {
        case .empty, .working: .heading
        case .lost: .bad
        case .verdict(let kind): kind.ink
        }
    }

    func line(_ number: Int) -> InkedText {
        InkedText(number < Self.lines ? picture[number] : String(repeating: " ", count: Self.columns), ink)
    }

    var small: InkedText {
        switch self {
        case .empty: InkedText("↓", ink)
        case .working: InkedText("…", ink)
        case .lost: InkedText("○", ink)
        case .verdict(let kind): InkedText(kind.mark, ink)
        }
    }
}
