// A diagnosis for display: one line per check, followed by the remedy for each problem

package import Doctor
import Foundation
package import Terminal

package struct DiagnosisPresentation {
    private let diagnosis: Diagnosis
    private let style: Style
    private let marks: Marks
    private let shell: ShellLine

    package init(_ diagnosis: Diagnosis, style: Style, marks: Marks = .current, shell: ShellLine = .current) {
        self.diagnosis = diagnosis
        self.style = style
        self.marks = marks
        self.shell = shell
    }

    /// The checks and the remedies, separated by empty lines.
    package var text: String { ([lines] + remedies).filter { !$0.isEmpty }.joined(separator: "\n\n") }

    /// The checks that apply.
    ///
    /// Equal results for several readers are shown once.
    package var lines: String {
        let shown = Self.merged(diagnosis.examinations.filter { $0.status != .notApplicable }) {
            [$0.name.rawValue, $0.status.rawValue, $0.statement]
        }
        let width = shown.map(\.first.name.title.columns).max() ?? 0
        return shown.map { examination, readers in
            let of = examination.name == .reader ? "" : of(readers).map { $0 + ": " } ?? ""
            let head =
                mark(examination.status) + " " + style.paint(examination.name.title.padded(to: width), .strong) + "  "
            return entry(head, columns: marks.width + width + 3, of + examination.statement)
        }.joined(separator: "\n")
    }

    /// A paragraph for each check with a remedy, problems first.
    package var remedies: [String] {
        let told = diagnosis.examinations.filter { $0.remedy != nil }
        let ordered = told.filter { $0.status == .problem } + told.filter { $0.status == .warning }
        return Self.merged(ordered) { [$0.name.rawValue, $0.remedy] }.map(paragraph)
    }

    /// Merges examinations with equal keys.
    ///
    /// Each result is the first examination with its key, and the readers of all examinations with this key.
    private static func merged(
        _ examinations: [Examination], by key: (Examination) -> [AnyHashable]
    ) -> [(first: Examination, readers: [String])] {
        var merged: [(first: Examination, readers: [String])] = []
        for examination in examinations {
            if let index = merged.firstIndex(where: { key($0.first) == key(examination) }) {
                merged[index].readers += [examination.reader].compactMap { $0 }
            } else {
                merged.append((examination, [examination.reader].compactMap { $0 }))
            }
        }
        return merged
    }

    /// Returns the names of the readers concerned.
    ///
    /// Nil if the check concerns all readers or the system.
    private func of(_ readers: [String]) -> String? {
        readers.isEmpty || readers.count == diagnosis.subjects.count ? nil : readers.joined(separator: ", ")
    }

    private func paragraph(_ examination: Examination, _ readers: [String]) -> String {
        guard let remedy = examination.remedy else { return "" }
        let of = of(readers).map { " (\(TerminalText.escaped($0)))" } ?? ""
        let heading = mark(examination.status) + " " + style.paint(examination.name.title + of, .strong)
        var lines = [heading] + body(remedy.cause)
        if !remedy.steps.isEmpty { lines += [""] + commands(remedy.steps) }
        if let note = remedy.note {
            lines += (remedy.steps.isEmpty ? [] : [""]) + body(note.words, note.step.map { [$0] } ?? [])
        }
        if remedy.isAutomatic, !remedy.undo.isEmpty {
            lines += (remedy.note == nil ? [""] : []) + body("To undo it:", remedy.undo)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the commands as lines that are never wrapped, because users copy them.
    private func commands(_ steps: [SystemStep]) -> [String] {
        steps.map { "    " + style.paint(TerminalText.escaped(shell.text($0)), .heading) }
    }

    /// Returns the words, followed by a command on the same line if it fits, otherwise below.
    private func body(_ words: String, _ steps: [SystemStep] = []) -> [String] {
        let inline = ([words] + steps.map(shell.text)).joined(separator: "  ")
        if steps.count == 1, inline.columns + 2 <= style.width {
            return [
                "  " + TerminalText.escaped(words) + "  "
                    + style.paint(TerminalText.escaped(shell.text(steps[0])), .heading)
            ]
        }
        return wrapped(words, indent: 2).map { "  " + $0 } + commands(steps)
    }

    private func entry(_ head: String, columns: Int, _ text: String) -> String {
        wrapped(text, indent: columns).enumerated().map { index, line in
            (index == 0 ? head : "".padded(to: columns)) + line
        }.joined(separator: "\n")
    }

    private func wrapped(_ text: String, indent: Int) -> [String] {
        let text = TerminalText.escaped(text)
        return style.isTerminal ? text.wrapped(to: max(style.width - indent, 24)) : [text]
    }

    private func mark(_ status: Examination.Status) -> String {
        switch status {
        case .ok: style.paint(marks.ok, .good, .strong)
        case .warning: style.paint(marks.warning, .warning, .strong)
        case .problem: style.paint(marks.problem, .bad, .strong)
        case .notApplicable: " ".padded(to: marks.width)
        }
    }
}

extension CheckName {
    fileprivate var title: String {
        switch self {
        case .reader: "Reader"
        case .unsupported: "Other readers"
        case .serial: "Serial ports"
        case .configuration: "libnfc"
        case .node: "Device node"
        case .permission: "Permission"
        case .kernelDriver: "Kernel driver"
        case .blacklist: "Blacklist"
        case .pcscd: "pcscd"
        case .holder: "In use"
        case .machine: "Machine"
        case .names: "Names"
        case .opens: "Opening"
        }
    }
}

/// The marks in front of the results of checks.
package struct Marks: Hashable, Sendable {
    package let ok: String
    package let warning: String
    package let problem: String
    var width: Int { ok.columns }

    package static let unicode = Marks(ok: "✔", warning: "!", problem: "✘")
    /// The marks for terminals and files that support only ASCII.
    package static let ascii = Marks(ok: "ok", warning: "! ", problem: "X ")

    /// The marks that the locale allows — setlocale(3), the order of the variables.
    package static var current: Marks { Marks.of(ProcessInfo.processInfo.environment) }

    package static func of(_ environment: [String: String]) -> Marks {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8") ? .unicode : .ascii
    }
}
