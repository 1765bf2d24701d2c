// A checked row in JSON — Docs/JSON.md, Provision --dry-run

import Hexadecimal
import NDEF

/// What `provision --dry-run --json` prints of one row.
package struct CheckedRowReport: Encodable {
    private let schema = 1
    private let event = "row"
    private let row: Int
    private let line: Int
    private let messageLength: Int
    private let message: String
    private let locked: Bool
    private let protected: Bool

    /// Makes the report of a row.
    package init(_ row: CheckedRow) throws {
        locked = row.order.settings.lock
        protected = row.order.settings.protect
        self.row = row.order.row.number
        line = row.order.row.line
        messageLength = row.messageLength
        message = try row.message.message.encoded().hex
    }
}
