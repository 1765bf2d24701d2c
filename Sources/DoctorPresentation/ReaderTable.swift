// The output of `readers`: a table, or JSON objects — Docs/CommandLine.md, readers; Docs/JSON.md, Readers

package import Doctor
import ReaderInterface
package import Terminal

package struct ReaderObject: Encodable {
    private let reader: String?
    private let connection: String?
    private let label: String?
    private let port: String?
    private let model: String
    private let serial: String?
    private let state: String
    private let reason: String?
    private let abilities: [String]?
    private let use: String?

    package init(_ plugged: PluggedReader) {
        reader = plugged.reader
        connection = plugged.connection
        label = plugged.label
        port = plugged.port
        model = plugged.model
        serial = plugged.serial
        state = plugged.state.rawValue
        reason = plugged.reason
        abilities = plugged.isSmartCardReader ? plugged.abilities : nil
        use = plugged.use.map { "\($0)" }
    }
}

package struct ReaderTable {
    private let readers: [PluggedReader]
    private let style: Style
    private let marks: Marks

    package init(_ readers: [PluggedReader], style: Style, marks: Marks = .current) {
        self.readers = readers
        self.style = style
        self.marks = marks
    }

    /// The table, without a newline at its end.
    ///
    /// There must be at least one reader.
    package var text: String {
        let names = readers.map { TerminalText.escaped(Self.name(of: $0)) }
        let models = readers.map { TerminalText.escaped($0.model) }
        let nameWidth = names.map(\.columns).max() ?? 0
        let modelWidth = models.map(\.columns).max() ?? 0
        let taken = marks.width + nameWidth + modelWidth + 5
        // On a terminal, long names such as pcscd's leave no room for a column to their right.
        let isBeside = !style.isTerminal || taken + 24 <= style.width
        let indent = isBeside ? taken : marks.width + 1
        return readers.indices.map { index in
            let state = TerminalText.escaped(Self.state(of: readers[index]))
            let lines = style.isTerminal ? state.wrapped(to: max(style.width - indent, 24)) : [state]
            let head =
                mark(readers[index]) + " " + style.paint(names[index].padded(to: nameWidth), .strong) + "  "
                + models[index].padded(to: modelWidth)
            let below = (isBeside ? lines.dropFirst() : lines[...]).map { "".padded(to: indent) + $0 }
            return ([head + (isBeside ? "  \(lines.first ?? "")" : "")] + below).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    package static func name(of reader: PluggedReader) -> String {
        let name = reader.state == .perhaps ? "-" : reader.reader ?? reader.port.map { "(\($0))" } ?? "-"
        return reader.label.map { "\($0) = \(name)" } ?? name
    }

    private static func state(of reader: PluggedReader) -> String {
        switch reader.state {
        case .ready where reader.isSmartCardReader:
            "ready, PC/SC: \(reader.abilities.joined(separator: ", "))"
                + (reader.use == .shared ? "; another program is connected to it" : "")
        case .ready: reader.reader == reader.connection ? "ready" : "ready, \(reader.connection ?? "")"
        case .busy: "busy: \(reader.reason ?? "")"
        case .noPermission, .missing: reader.reason ?? ""
        case .undriven: "nfctool cannot use it: \(reader.reason ?? "")"
        case .perhaps: "perhaps a PN532: --reader \(reader.connection ?? "")"
        }
    }

    private func mark(_ reader: PluggedReader) -> String {
        switch reader.state {
        case .ready: style.paint(marks.ok, .good, .strong)
        case .perhaps: style.paint(marks.warning, .warning, .strong)
        case .busy, .noPermission, .missing, .undriven: style.paint(marks.problem, .bad, .strong)
        }
    }
}
