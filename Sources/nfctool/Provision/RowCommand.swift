// provision --exec: the command for a tag also gets the row — Docs/CommandLine.md, provision

import Foundation
import Provisioning
import SafeTag
import Terminal

extension TagCommand {
    /// Runs the command for a tag that holds its row, with the event on stdin and the row in its environment.
    ///
    /// `NFC_ROW` is the row's number and `NFC_LINE` its line in the plan. Each column becomes a variable, except secret
    /// cells.
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
