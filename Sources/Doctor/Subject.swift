// A reader that the doctor examines: one that is connected, or one that the user named

import ReaderInterface
import ReaderSession
public import USBReaders

/// A reader to examine, with the name that `--reader` accepts.
public struct Subject: Hashable, Sendable {
    /// The location of a reader.
    public enum Place: Hashable, Sendable {
        /// A USB reader that libnfc drives.
        case usb(SurveyedReader)
        /// A board on a serial port.
        case serial(SerialPort)
        /// A reader that the survey does not cover.
        ///
        /// It is a virtual reader, or a reader on a pseudo-terminal, on I2C or on a missing port.
        case elsewhere
    }

    /// The name that `--reader` accepts.
    ///
    /// If possible, this is a stable name such as `usb:1-2`.
    public let name: String
    /// The connection string for libnfc, or the name if it is not a connection string.
    public let connection: String
    /// The reader's name, as shown to people.
    public let title: String
    /// The location of the reader.
    public let place: Place

    /// Whether the smart-card daemon pcscd, not libnfc, opens the reader.
    public var isSmartCardReader: Bool { SmartCardReaders.title(of: connection) != nil }

    /// Creates a subject from a USB reader, or returns nil if neither libnfc nor pcscd drives the reader.
    ///
    /// The reader is used through pcscd if pcscd holds it now, or if only pcscd drives it.
    public init?(_ surveyed: SurveyedReader) { self.init(surveyed, throughLibNFC: false) }

    private init?(_ surveyed: SurveyedReader, throughLibNFC: Bool) {
        let reader = surveyed.reader
        let isHeld = surveyed.isHeldBySmartCardDaemon && !throughLibNFC
        guard let connection = reader.connectionNow(isHeld: { _ in isHeld }) else {
            return nil
        }
        name = "usb:\(surveyed.reader.port)"
        self.connection = connection
        title = surveyed.reader.model.name
        place = .usb(surveyed)
    }

    /// Creates the reader with a connection string or another specification.
    public init(named name: String, in survey: ReaderSurvey) {
        self.name = name
        connection = name
        let path = Self.serialPath(of: name)
        if let path, let port = survey.serialPorts.first(where: { $0.node == path || $0.stableNames.contains(path) }) {
            title = "PN532 on \(port.adapter?.model.name ?? "a serial port")"
            place = .serial(port)
        } else {
            title = name.hasPrefix("virtual") ? "Virtual PN532" : SmartCardReaders.title(of: name) ?? "Reader"
            place = .elsewhere
        }
    }

    /// The USB reader, or nil for other locations.
    public var usb: SurveyedReader? {
        if case .usb(let surveyed) = place { surveyed } else { nil }
    }

    /// The device node, whether this user may use it, and which processes use it.
    ///
    /// Nil for other locations.
    public var node: (access: NodeAccess, holders: NodeHolders)? {
        switch place {
        case .usb(let surveyed): (surveyed.access, surveyed.holders)
        case .serial(let port): (port.access, port.holders)
        case .elsewhere: nil
        }
    }

    /// Whether a user's word refers to this reader.
    private func isCalled(_ wanted: String) -> Bool { name == wanted || connection == wanted }

    /// Returns the connection string of this board on a serial port, with another speed in bit/s.
    func withSpeed(_ speed: Int) -> String {
        let parts = ReaderConnection.plain(connection).split(separator: ":", omittingEmptySubsequences: false)
        return (parts.prefix(2) + ["\(speed)"]).joined(separator: ":")
    }

    /// Returns the path in a string such as `pn532_uart:/dev/ttyUSB0:115200?speed=921600`, or nil if there is none.
    static func serialPath(of connection: String) -> String? {
        let parts = ReaderConnection.plain(connection).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[1].hasPrefix("/dev/") else { return nil }
        return String(parts[1])
    }

    /// Returns the readers to examine: the wanted reader or, if `wanted` is nil, all readers.
    ///
    /// These are the USB readers, the other readers of pcscd, and those that libnfc's settings name.
    static func all(in survey: ReaderSurvey, wanted: String?, listed: [ListedReader]) -> [Subject] {
        let plugged = survey.readers.compactMap(Subject.init)
        if let wanted {
            if let reader = plugged.first(where: { $0.isCalled(wanted) }) { return [reader] }
            // libnfc's own connection string selects libnfc, even for a reader that pcscd holds.
            if let named = survey.readers.first(where: { $0.reader.connection == wanted }),
                let reader = Subject(named, throughLibNFC: true)
            {
                return [reader]
            }
            return wanted.hasPrefix("usb:") || wanted.hasPrefix("serial:") ? [] : [Subject(named: wanted, in: survey)]
        }
        var subjects = plugged
        for reader in listed where !plugged.contains(where: { reader.isOn($0.usb?.reader) }) {
            subjects.append(Subject(named: reader.connection, in: survey))
        }
        for device in survey.system.configuration.devices
        where !subjects.contains(where: { $0.connection == device.connection }) {
            subjects.append(Subject(named: device.connection, in: survey))
        }
        return subjects
    }
}

extension ListedReader {
    /// Returns whether this entry of pcscd's list stands for the given USB reader.
    func isOn(_ reader: USBReader?) -> Bool {
        guard let reader, let device else { return false }
        return device == USBDevice(bus: reader.bus, number: reader.device)
    }
}
