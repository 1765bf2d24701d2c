// The names of readers on the screen — Docs/CommandLine.md, How a reader is named

import Doctor
package import Provisioning
import Terminal
package import USBReaders

/// The names of the readers of a run.
package struct ReaderNames: Sendable {
    private var names: [String: String] = [:]
    private let labels: ReaderLabels

    /// The maximum width of a name next to other facts, in columns.
    private static let longest = 14

    package init(labels: ReaderLabels = .current) { self.labels = labels }

    /// Notes the name of a reader that was opened.
    package mutating func learn(_ event: ProvisionEvent) {
        guard case .readerOpened(let reader, let named) = event else { return }
        names[reader] = label(of: reader, named: named) ?? reader
    }

    /// The label of a reader: the label of the connected device, or the label in the user's command.
    package func label(of reader: String, named: String) -> String? {
        // Skip the search if no reader has a label.
        guard !labels.entries.isEmpty else { return nil }
        if labels.target(of: named) != nil { return named }
        let plugged = USBReader.connected(root: .current).first {
            $0.connection == reader || "usb:\($0.port)" == reader
        }
        return plugged.flatMap { labels.label(of: $0) } ?? labels.label(ofConnection: reader)
    }

    /// The name to show for a reader.
    subscript(reader: String) -> String { names[reader] ?? reader }

    /// The name next to other facts, shortened in the middle.
    func short(_ reader: String) -> String { self[reader].cutInTheMiddle(to: Self.longest) }

    /// The width of the widest short name so far.
    var columns: Int { names.values.map { min($0.columns, Self.longest) }.max() ?? Self.longest }
}
