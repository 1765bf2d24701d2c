// provision --exec: runs a command for each tag, with the row in the environment — Docs/CommandLine.md, provision

import Foundation
import Provisioning
import SafeTag
import Terminal

extension TagCommand {
    /// Runs the command for a tag that holds its row.
    ///
    /// The event is on the command's stdin, and the row is in its environment. `NFC_ROW` is the number of the row, and
    /// `NFC_LINE` is its line in the plan. Each column is a variable, unless its cell is secret.
    func run(
        with reading: TagReading, for row: PlanRow, _ cells: OpenCells, event: TimedEvent<ProvisionEvent>
    ) async throws -> String? {
        var variables = ["NFC_ROW": "\(row.number)", "NFC_LINE": "\(row.line)"]
        for field in cells.fields(of: row) {
            variables[RowVariables.name(of: field.name)] = field.value
        }
        return try await run(with: reading, event: event, variables: variables)
    }
}
