// A reader in a list: its names, and whether it can be used now — Docs/CommandLine.md, readers

public import ReaderInterface
import ReaderSession
public import USBReaders

/// A reader that is connected, or was connected until a moment ago.
public struct PluggedReader: Hashable, Sendable {
    /// The state of a reader, which shows whether it can be used.
    ///
    /// The raw values are stable across releases.
    public enum State: String, Hashable, Sendable {
        /// No problem is known.
        case ready
        /// Another program or a kernel driver holds the reader.
        case busy
        /// This user may not open the reader.
        case noPermission
        /// The reader is not connected, or does not answer.
        case missing
        /// Neither libnfc nor pcscd has a driver for the reader.
        case undriven
        /// A serial adapter to which an unknown device is connected.
        case perhaps
    }

    /// The name that `--reader` accepts, or nil for a reader without a driver.
    public let reader: String?
    /// The connection string, or nil if there is none.
    public let connection: String?
    /// The user's label for the reader, or nil if it has none.
    public let label: String?
    /// The USB port, as in `usb:PORT`, or nil for a reader that is not on USB.
    public let port: String?
    /// The model's name, as shown to people.
    public let model: String
    /// The serial number, or nil if it is not known.
    public let serial: String?
    /// The state of the reader, which shows whether it can be used.
    public let state: State
    /// A clause that says why the reader cannot be used, or how to use it.
    ///
    /// Nil if there is nothing to say.
    public let reason: String?
    /// Whether pcscd, not libnfc, opens the reader.
    public var isSmartCardReader = false
    /// The abilities of a reader that pcscd drives, otherwise an empty list.
    public var abilities: [String] = []
    /// How other programs use the reader, according to pcscd, or nil if this is not known.
    public var use: ListedReader.Use?

    /// Creates the entry for a reader that libnfc or pcscd drives.
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

    /// Creates the entry for a reader that nfctool cannot use.
    init(undriven reader: USBReader, reason: ReaderModel.Reason) {
        (self.reader, connection, label) = (nil, nil, nil)
        port = "\(reader.port)"
        model = reader.model.name
        serial = reader.serial
        state = .undriven
        self.reason = reason.inShort
    }

    /// Creates the entry for a reader that was connected or disconnected.
    ///
    /// It has the reader's current state or, if `now` is nil, the last known one.
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

    init(adapter: USBReader, on port: SerialPort, _ labels: ReaderLabels) {
        (reader, connection) = (port.connection, "pn532_uart:\(port.node)")
        label = labels.label(ofConnection: port.connection)
        self.port = "\(adapter.port)"
        model = "\(adapter.model.name) on \(port.node)"
        serial = adapter.serial
        state = .perhaps
        reason = "a PN532 on this port must be named"
    }

    /// Returns all readers: those on USB, those that libnfc's settings name, and those that cannot be used or are
    /// unknown.
    ///
    /// - Parameters:
    ///   - diagnosis: the diagnosis of the readers.
    ///   - labels: the user's labels.
    /// - Returns: first the readers that libnfc or pcscd drives, followed by those without a driver, and by serial
    ///   adapters.
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
