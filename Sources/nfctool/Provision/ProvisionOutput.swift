// Where the events of a provisioning go: JSON Lines, a line each, or a view on the terminal — CLI.md, Output

import Foundation

/// Tells the events, from any thread.
final class ProvisionOutput: Sendable {
    private let options: OutputOptions

    init(_ options: OutputOptions) { self.options = options }

    func tell(_ event: ProvisionEvent) {
        if options.json {
            try? JSONLine.print(event)
        } else {
            StandardOutput.print("\(event)")
        }
    }
}
