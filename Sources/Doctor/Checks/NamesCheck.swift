// Several readers that look alike

import USBReaders

extension Diagnosis {
    /// Checks for readers of the same model, and explains how to distinguish them.
    ///
    /// Nil if there are none.
    var names: Examination? {
        let plugged = subjects.filter { $0.usb != nil }
        let alike = Dictionary(grouping: plugged, by: \.title).values.filter { $0.count > 1 }.flatMap { $0 }
            .sorted { $0.name < $1.name }
        guard let first = alike.first else { return nil }
        return .warning(
            .names, "\(alike.count) readers look alike: \(alike.map(\.name).joined(separator: ", "))",
            Remedy(
                cause:
                    "Reader numbers change each time a reader is plugged in, and nfctool uses the first reader that it finds. The port stays the same.",
                steps: [.nfctool(["read", "--reader", first.name])], isAutomatic: false),
            facts: ["readers": .list(alike.map(\.name))])
    }
}
