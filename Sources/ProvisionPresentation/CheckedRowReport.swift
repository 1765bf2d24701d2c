// A row that was checked but not written, in JSON — Docs/JSON.md, plan

import Hexadecimal
import NDEF
package import Provisioning

/// The event `row` that `--dry-run --json` prints.
package struct CheckedRowReport: Encodable, Sendable {
    private let schema = 1
    private let event = "row"
    private let row: Int
    private let line: Int
    private let messageLength: Int
    private let message: String
    private let locked: Bool
    private let protected: Bool

    package init(_ row: CheckedRow) throws {
        locked = row.order.settings.lock
        protected = row.order.settings.protect
        self.row = row.order.row.number
        line = row.order.row.line
        messageLength = row.messageLength
        message = try row.message.message.encoded().hex
    }
}
