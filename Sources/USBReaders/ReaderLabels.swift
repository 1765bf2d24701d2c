// Names that people give to their readers

/// The labels of a file: lines `LABEL = usb:1-2.3`, `LABEL = serial:ABC123` or `LABEL = CONNECTION`, `#` begins a comment.
public struct ReaderLabels: Hashable, Sendable {
    /// The labels, in the order of the file.
    public let entries: [Entry]

    /// Labels, none by default.
    public init(entries: [Entry] = []) { self.entries = entries }

    /// A label and what it names.
    public struct Entry: Hashable, Sendable {
        /// The label.
        public let label: String
        /// What it names.
        public let target: Target

        /// Creates an entry.
        public init(label: String, target: Target) {
            self.label = label
            self.target = target
        }
    }

    /// What a label names.
    public enum Target: Hashable, Sendable {
        /// Whatever reader is on a USB port: `usb:1-2.3`.
        case port(PortPath)
        /// The USB reader with a serial number: `serial:ABC123`.
        case serial(String)
        /// A connection string of libnfc: `pn532_uart:/dev/ttyUSB0`.
        case connection(String)
    }
}
