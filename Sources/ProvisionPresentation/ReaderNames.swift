// What readers are called on the screen: the user's label, else the connection string — Docs/CommandLine.md, How a reader is named

import Doctor
package import Provisioning
import Terminal
package import USBReaders

/// The names of the readers of a run.
package struct ReaderNames: Sendable {
    private var names: [String: String] = [:]
    private let labels: ReaderLabels

    /// The longest name beside other facts, in columns.
    private static let longest = 14

    package init(labels: ReaderLabels = .current) { self.labels = labels }

    /// Takes note of a reader that was opened.
    package mutating func learn(_ event: ProvisionEvent) {
        guard case .readerOpened(let reader, let named) = event else { return }
        names[reader] = label(of: reader, named: named) ?? reader
    }

    /// The label of a reader: that of what is plugged in there, or what the user called it.
    package func label(of reader: String, named: String) -> String? {
        // Nothing is looked for where no reader has a label.
        guard !labels.entries.isEmpty else { return nil }
        if labels.target(of: named) != nil { return named }
        let plugged = USBReader.connected(root: .current).first {
            $0.connection == reader || "usb:\($0.port)" == reader
        }
        return plugged.flatMap { labels.label(of: $0) } ?? labels.label(ofConnection: reader)
    }

    /// What a reader is called.
    subscript(reader: String) -> String { names[reader] ?? reader }

    /// The same beside other facts, shortened in the middle.
    func short(_ reader: String) -> String { self[reader].cutInTheMiddle(to: Self.longest) }

    /// How wide the short names are that were learnt.
    var columns: Int { names.values.map { min($0.columns, Self.longest) }.max() ?? Self.longest }
}
