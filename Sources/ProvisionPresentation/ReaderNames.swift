// The names of readers on the screen — Docs/CommandLine.md, How a reader is named

import Doctor
package import Provisioning
import Terminal
package import USBReaders

/// The names of the readers of a run.
package struct ReaderNames: Sendable {
    private var names: [String: String] = [:]
    private let labels: ReaderLabels

    /// The maximum width, in columns, of a name that stands next to other facts.
    private static let longest = 14

    package init(labels: ReaderLabels = .current) { self.labels = labels }

    package mutating func learn(_ event: ProvisionEvent) {
        guard case .readerOpened(let reader, let named) = event else { return }
        names[reader] = label(of: reader, named: named) ?? reader
    }

    /// Returns the label of a reader: that of the connected device or that in the user's command, or nil if there is
    /// none.
    package func label(of reader: String, named: String) -> String? {
        // Skip the search if no reader has a label.
        guard !labels.entries.isEmpty else { return nil }
        if labels.target(of: named) != nil { return named }
        let plugged = USBReader.connected(root: .current).first {
            $0.connection == reader || "usb:\($0.port)" == reader
        }
        return plugged.flatMap { labels.label(of: $0) } ?? labels.label(ofConnection: reader)
    }

    subscript(reader: String) -> String { names[reader] ?? reader }

    /// Returns the name to show next to other facts, shortened in the middle.
    func short(_ reader: String) -> String { self[reader].cutInTheMiddle(to: Self.longest) }

    /// The width of the widest short name so far, in columns.
    var columns: Int { names.values.map { min($0.columns, Self.longest) }.max() ?? Self.longest }
}
