// A reader as `readers` lists it: its names, and whether it can be used now — Docs/CommandLine.md, readers

import USBReaders

/// A row of `nfctool readers`.
struct PluggedReader: Hashable, Sendable, Encodable {
    /// Whether it can be used.
    enum State: String, Encodable, Sendable {
        case ready
        case busy, noPermission, missing
        /// libnfc has no driver for it.
        case undriven
        /// A serial adapter: nobody knows what hangs on it.
        case perhaps
    }

    /// As `--reader` takes it; nil for what cannot be used.
    let reader: String?
    /// libnfc's connection string.
    let connection: String?
    /// The user's own name for it.
    let label: String?
    let port: String?
    let model: String
    let serial: String?
    let state: State
    /// Why it cannot be used, or how; a clause.
    let reason: String?

    private enum CodingKeys: String, CodingKey {
        case reader, connection, label, port, model, serial, state, reason
    }

    /// A reader that is driven.
    init(_ subject: Subject, in diagnosis: Diagnosis, _ labels: ReaderLabels) {
        let problem = diagnosis.examinations(of: subject).first { $0.status == .problem }
        reader = subject.name
        connection = subject.connection
        label = subject.usb.flatMap { labels.label(of: $0.reader) } ?? labels.label(ofConnection: subject.connection)
        model = subject.title
        port = subject.usb.map { "\($0.reader.port)" }
        serial = subject.usb?.reader.serial
        state =
            switch problem?.error {
            case nil: .ready
            case .readerBusy: .busy
            case .noPermission: .noPermission
            default: .missing
            }
        reason = problem?.statement
    }

    /// A reader that libnfc does not drive.
    init(undriven reader: USBReader, reason: ReaderModel.Reason) {
        (self.reader, connection, label) = (nil, nil, nil)
        port = "\(reader.port)"
        model = reader.model.name
        serial = reader.serial
        state = .undriven
        self.reason = reason.inShort
    }

    /// A reader that came or went: as it is now, or as it was known.
    init(_ reader: USBReader, now: PluggedReader?, _ labels: ReaderLabels) {
        if let now {
            self = now
        } else if let reason = reader.model.reason {
            self.init(undriven: reader, reason: reason)
        } else {
            self.init(gone: reader, labels)
        }
    }

    private init(gone reader: USBReader, _ labels: ReaderLabels) {
        self.reader = reader.model.drive == nil ? nil : "usb:\(reader.port)"
        (connection, label, reason) = (reader.connection, labels.label(of: reader), nil)
        port = "\(reader.port)"
        model = reader.model.name
        serial = reader.serial
        state = .missing
    }

    /// A serial adapter.
    init(adapter: USBReader, on port: SerialPort, _ labels: ReaderLabels) {
        (reader, connection) = (port.connection, "pn532_uart:\(port.node)")
        label = labels.label(ofConnection: port.connection)
        self.port = "\(adapter.port)"
        model = "\(adapter.model.name) on \(port.node)"
        serial = adapter.serial
        state = .perhaps
        reason = "a PN532 there has to be named"
    }

    /// All of them: the USB readers, those libnfc's settings name, and what cannot be used or is not known.
    static func all(in diagnosis: Diagnosis, labels: ReaderLabels = ReaderLabels()) -> [PluggedReader] {
        let survey = diagnosis.survey
        let named = diagnosis.subjects.compactMap { subject -> String? in
            if case .serial(let port) = subject.place { port.node } else { nil }
        }
        let driven = diagnosis.subjects.map { PluggedReader($0, in: diagnosis, labels) }
        let undriven = survey.readers.map(\.reader).compactMap { reader in
            reader.model.reason.map { PluggedReader(undriven: reader, reason: $0) }
        }
        let adapters = survey.serialPorts.compactMap { port -> PluggedReader? in
            named.contains(port.node) ? nil : port.adapter.map { PluggedReader(adapter: $0, on: port, labels) }
        }
        return driven + undriven + adapters
    }
}

/// The readers as a table.
struct ReaderTable {
    private let readers: [PluggedReader]
    private let style: Style
    private let marks: Marks

    init(_ readers: [PluggedReader], style: Style, marks: Marks = .current) {
        self.readers = readers
        self.style = style
        self.marks = marks
    }

    /// Where there is a reader, without a newline at its end.
    var text: String {
        let names = readers.map { TerminalText.escaped(Self.name(of: $0)) }
        let models = readers.map { TerminalText.escaped($0.model) }
        let nameWidth = names.map(\.columns).max() ?? 0
        let modelWidth = models.map(\.columns).max() ?? 0
        let taken = marks.width + nameWidth + modelWidth + 5
        return readers.indices.map { index in
            let reader = readers[index]
            let state = TerminalText.escaped(Self.state(of: reader))
            let lines = style.isTerminal ? state.wrapped(to: max(style.width - taken, 24)) : [state]
            let head =
                mark(reader) + " " + style.paint(names[index].padded(to: nameWidth), .strong) + "  "
                + models[index].padded(to: modelWidth) + "  "
            return lines.enumerated().map { ($0 == 0 ? head : "".padded(to: taken)) + $1 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    static func name(of reader: PluggedReader) -> String {
        let name = reader.state == .perhaps ? "-" : reader.reader ?? reader.port.map { "(\($0))" } ?? "-"
        return reader.label.map { "\($0) = \(name)" } ?? name
    }

    private static func state(of reader: PluggedReader) -> String {
        switch reader.state {
        case .ready: reader.reader == reader.connection ? "ready" : "ready, \(reader.connection ?? "")"
        case .busy: "busy: \(reader.reason ?? "")"
        case .noPermission, .missing: reader.reason ?? ""
        case .undriven: "libnfc cannot drive it: \(reader.reason ?? "")"
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
