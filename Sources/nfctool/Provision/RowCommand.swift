// --exec of a provisioning: the command knows the row — Docs/CommandLine.md, provision

import Foundation
import Provisioning
import SafeTag
import Terminal

extension TagCommand {
    /// Runs the command for a tag that holds its row: the event on stdin, the row in its environment.
    ///
    /// `NFC_ROW` is the row's number, `NFC_LINE` its line in the plan, and each column a variable `NFC_COLUMN_NAME`: the
    /// name in upper case, with `_` for what is neither a letter nor a digit of ASCII; secrets stay here.
    func run(
        with reading: TagReading, for row: PlanRow, _ cells: OpenCells, event: TimedEvent<ProvisionEvent>
    ) async throws -> String? {
        var variables = ["NFC_ROW": "\(row.number)", "NFC_LINE": "\(row.line)"]
        for field in cells.fields(of: row) {
            variables["NFC_COLUMN_" + Self.variable(field.name)] = field.value
        }
        return try await run(with: reading, event: event, variables: variables)
    }

    private static func variable(_ column: String) -> String {
        String(column.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
