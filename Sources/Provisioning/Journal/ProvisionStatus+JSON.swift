// The progress of a plan in JSON — Docs/JSON.md, Provision status

import Foundation
import Hexadecimal

extension ProvisionStatus: Encodable {
    private enum Key: CodingKey {
        case schema, event, plan, sha256, begun, open, changed, quarantined
    }

    private struct OpenRow: Encodable {
        let row: Int
        let line: Int
        let state: RowState
        let uid: String?
        let station: String?
        let message: String?
        let beingWritten: Bool?
    }

    private struct ChangedRow: Encodable {
        let row: Int
        let line: Int
        let uid: String?
        let station: String?
        let message: String?
    }

    private struct QuarantinedTag: Encodable {
        let uid: String
        let chip: String
        let error: String
        let message: String
    }

    /// Encodes the JSON object that `provision status --json` prints.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("status", forKey: .event)
        try container.encode(plan.file, forKey: .plan)
        try container.encode(plan.sha256, forKey: .sha256)
        try container.encode(begun.formatted(.iso8601), forKey: .begun)
        try counts.encode(to: encoder)
        try container.encode(
            open.map {
                OpenRow(
                    row: $0.row.number, line: $0.row.line, state: $0.state, uid: $0.tag?.uid.hex,
                    station: $0.station, message: $0.reason,
                    beingWritten: openBeingWritten.contains($0.row.number) ? true : nil)
            }, forKey: .open)
        try container.encode(
            changed.map {
                ChangedRow(
                    row: $0.row.number, line: $0.row.line, uid: $0.tag?.uid.hex, station: $0.station,
                    message: $0.reason)
            }, forKey: .changed)
        try container.encode(
            quarantined.map {
                QuarantinedTag(uid: $0.uid.hex, chip: $0.chip, error: $0.cause.word, message: $0.reason)
            }, forKey: .quarantined)
    }
}
