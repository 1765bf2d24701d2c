// A reader in a list: its names, and whether it can be used now — Docs/CommandLine.md, readers

public import ReaderInterface
import ReaderSession
public import USBReaders

/// A reader that is here, or was a moment ago.
public struct PluggedReader: Hashable, Sendable {
    /// Whether it can be used.
    ///
    /// The raw values stay the same from release to release.
    public enum State: String, Hashable, Sendable {
        /// Nothing is known against it.
        case ready
        /// Another program, or a driver of the kernel's, has it.
        case busy
        /// This user may not open it.
        case noPermission
        /// It is not there, or does not answer.
        case missing
        /// Neither libnfc nor pcscd has a driver for it.
        case undriven
        /// A serial adapter: what is connected to it cannot be known.
        case perhaps
    }

    /// As `--reader` takes it; nil for what cannot be used.
    public let reader: String?
    /// libnfc's connection string.
    public let connection: String?
    /// The user's own name for it.
    public let label: String?
    /// The USB port, as in `usb:PORT`; nil for what is on none.
    public let port: String?
    /// What people call it.
    public let model: String
    /// Its serial number.
    public let serial: String?
    /// Whether it can be used.
    public let state: State
    /// Why it cannot be used, or how; a clause.
    public let reason: String?
    /// Whether pcscd opens it, and not libnfc.
    public var isSmartCardReader = false
    /// What it can do, of a reader of pcscd's.
    public var abilities: [String] = []
    /// Whether other programs work with it, as pcscd says.
    public var use: ListedReader.Use?

    /// A reader that is driven.
    public init(_ subject: Subject, in diagnosis: Diagnosis, _ labels: ReaderLabels) {
        let problem = diagnosis.examinations(of: subject).first { $0.status == .problem }
        reader = subject.name
        connection = subject.connection
        label = subject.usb.flatMap { labels.label(of: $0.reader) } ?? labels.label(ofConnection: subject.connection)
        model = subject.title
        port = subject.usb.map { "\($0.reader.port)" }
        serial = subject.usb?.reader.serial
        isSmartCardReader = subject.isSmartCardReader
        use =
            isSmartCardReader
            ? diagnosis.listed.first { $0.connection == subject.connection || $0.isOn(subject.usb?.reader) }?.use : nil
        state =
            switch problem?.obstacle {
            case nil: use == .exclusive ? .busy : .ready
            case .busy: .busy
            case .noPermission: .noPermission
            default: .missing
            }
        reason = problem?.statement ?? (use == .exclusive ? "another program uses it exclusively" : nil)
        if isSmartCardReader {
            abilities = SmartCardReaders.abilities(of: subject.connection, model: subject.usb?.reader.model)
        }
    }

    /// A reader that nfctool cannot use.
    init(undriven reader: USBReader, reason: ReaderModel.Reason) {
        (self.reader, connection, label) = (nil, nil, nil)
        port = "\(reader.port)"
        model = reader.model.name
        serial = reader.serial
        state = .undriven
        self.reason = reason.inShort
    }

    /// A reader that came or went: as it is now, or as it was known.
    public init(_ reader: USBReader, now: PluggedReader?, _ labels: ReaderLabels) {
        if let now {
            self = now
        } else if !reader.isSmartCardReader, let reason = reader.model.reason {
            self.init(undriven: reader, reason: reason)
        } else {
            self.init(gone: reader, labels)
        }
    }

    private init(gone reader: USBReader, _ labels: ReaderLabels) {
        self.reader = reader.model.drive == nil && !reader.isSmartCardReader ? nil : "usb:\(reader.port)"
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
        reason = "a PN532 there must be named"
    }

    /// All of them: the USB readers, those libnfc's settings name, and what cannot be used or is not known.
    ///
    /// - Parameters:
    ///   - diagnosis: what is known of them.
    ///   - labels: the user's own names.
    /// - Returns: those that libnfc or pcscd drives first, then those that nothing drives, then serial adapters.
    public static func all(in diagnosis: Diagnosis, labels: ReaderLabels = ReaderLabels()) -> [PluggedReader] {
        let survey = diagnosis.survey
        let named = diagnosis.subjects.compactMap { subject -> String? in
            if case .serial(let port) = subject.place { port.node } else { nil }
        }
        let driven = diagnosis.subjects.map { PluggedReader($0, in: diagnosis, labels) }
        let undriven = diagnosis.undriven.compactMap { reader in
            reader.model.reason.map { PluggedReader(undriven: reader, reason: $0) }
        }
        let adapters = survey.serialPorts.compactMap { port -> PluggedReader? in
            named.contains(port.node) ? nil : port.adapter.map { PluggedReader(adapter: $0, on: port, labels) }
        }
        return driven + undriven + adapters
    }
}
