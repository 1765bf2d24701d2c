// A report for programs: JSON Lines — RFC 8259; Docs/JSON.md, Reports in `.jsonl`

import Foundation
import Hexadecimal

/// Writes the plan with its counts on the first line, then one line for each row.
///
/// The last lines contain the tags that have no row or were later found changed.
struct JSONLinesReport {
    /// The beginning of the report's first line.
    static let beginning = #"{"schema":1,"event":"plan""#

    /// Whether a file is a JSON Lines report of the plan whose journal was created at the given time.
    ///
    /// Quotation marks in the plan's name are escaped, so the name cannot be mistaken for a member of the object.
    static func isReport(_ bytes: [UInt8], begun: String) -> Bool {
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.hasPrefix(beginning) && line.contains(#","begun":"\#(begun)""#)
    }

    let stream: ReportStream

    func write(_ record: any ProvisioningRecord, written: Date) throws {
        try writePlan(record, written: written)
        let keyVersion = record.plan.keyVersion
        let rule = SealRule(of: record.plan)
        try record.forEachRow(in: Set(RowState.allCases)) { row in
            append(row, rule, keyVersion)
            try stream.endPart()
        }
        try record.forEachRefusedTag { tag in
            append(tag, of: nil)
            try stream.endPart()
        }
        try forEachChangedTag(of: record) { tag, row in
            append(tag, of: row)
            try stream.endPart()
        }
    }

    /// Calls `body` with each tag that was verified and later found changed, and with the number of its row.
    private func forEachChangedTag(
        of record: any ProvisioningRecord, _ body: (RefusedTag, Int) throws -> Void
    ) throws {
        let rule = SealRule(of: record.plan)
        try record.forEachRow(in: [.proven, .sealed]) { row in
            guard let tag = row.tag, let reason = row.reason, rule.isChanged(row) else { return }
            let refused = RefusedTag(
                uid: tag.uid, chip: tag.chip, reader: tag.reader, cause: PasswordRemark.cause(in: reason),
                reason: reason, isQuarantined: false, time: row.changed ?? tag.bound, station: row.station)
            try body(refused, row.row.number)
        }
    }

    private func writePlan(_ record: any ProvisioningRecord, written: Date) throws {
        let plan = record.plan
        let counts = try ProvisionCounts(of: record)
        var refused = 0
        try record.forEachRefusedTag { _ in refused += 1 }
        try forEachChangedTag(of: record) { _, _ in refused += 1 }
        begin("plan")
        member("file", plan.file)
        member("sha256", plan.sha256)
        member("begun", ReportClock.utc(record.begun))
        member("reported", ReportClock.utc(written))
        member("rows", counts.rows)
        member("provisioned", counts.provisioned)
        member("verified", counts.verified)
        member("locked", counts.locked)
        member("protected", counts.protected)
        for state in RowState.allCases { member(state.rawValue, counts.states[state] ?? 0) }
        member("refusedTags", refused)
        stream.append("}\n")
    }

    private func append(_ row: JournalRow, _ rule: SealRule, _ keyVersion: Int?) {
        begin("row")
        member("row", row.row.number)
        member("line", row.row.line)
        member("state", row.state.rawValue)
        if let tag = row.tag {
            member(tag.uid, tag.chip, tag.reader)
            if let station = row.station { member("station", station) }
            member("bound", ReportClock.utc(tag.bound))
        }
        if let proof = row.proof {
            member("messageLength", proof.messageLength)
            member("sha256", proof.sha256)
            if let keyVersion { member("keyVersion", keyVersion) }
            if let signature = proof.signature { member("signature", signature) }
            if let seconds = Figure.thousandths(proof.seconds) { stream.append(",\"seconds\":\(seconds)") }
        }
        if let seal = rule.carriedOut(on: row) {
            stream.append(",\"locked\":\(seal.lock),\"protected\":\(seal.protect)")
        }
        if let changed = row.changed { member("changed", ReportClock.utc(changed)) }
        if let reason = rule.reason(for: row) { member("reason", reason) }
        stream.append(",\"plan\":")
        stream.append(object: row.row.fields)
        stream.append("}\n")
    }

    private func append(_ tag: RefusedTag, of row: Int?) {
        begin("refused")
        if let row { member("row", row) }
        member(tag.uid, tag.chip, tag.reader)
        if let station = tag.station { member("station", station) }
        member("cause", tag.cause.word)
        member("reason", tag.reason)
        stream.append(",\"quarantined\":\(tag.isQuarantined)")
        member("time", ReportClock.utc(tag.time))
        stream.append("}\n")
    }

    private func begin(_ event: String) { stream.append("{\"schema\":1,\"event\":\"\(event)\"") }

    private func member(_ uid: [UInt8], _ chip: String, _ reader: String) {
        stream.append(",\"uid\":\"")
        stream.append(hex: uid)
        stream.append(byte: UInt8(ascii: "\""))
        member("chip", chip)
        member("reader", reader)
    }

    private func member(_ key: String, _ number: Int) { stream.append(",\"\(key)\":\(number)") }

    private func member(_ key: String, _ text: String) {
        stream.append(",\"\(key)\":")
        stream.append(string: text)
    }
}

extension ReportStream {
    func append(object fields: [PlanField]) {
        append(byte: UInt8(ascii: "{"))
        for (index, field) in fields.enumerated() {
            if index > 0 { append(byte: UInt8(ascii: ",")) }
            append(string: field.name)
            append(byte: UInt8(ascii: ":"))
            append(string: field.value)
        }
        append(byte: UInt8(ascii: "}"))
    }

    /// Appends a JSON string.
    ///
    /// As in all JSON output of the tool, characters that could affect a terminal are escaped.
    func append(string text: String) {
        append(byte: UInt8(ascii: "\""))
        if text.utf8.allSatisfy(Self.standsForItself) {
            append(text)
        } else {
            for scalar in text.unicodeScalars { append(scalar) }
        }
        append(byte: UInt8(ascii: "\""))
    }

    private func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": append("\\\"")
        case "\\": append("\\\\")
        case "\n": append("\\n")
        case "\r": append("\\r")
        case "\t": append("\\t")
        case _ where scalar.isInvisible:
            for unit in scalar.utf16 {
                append("\\u" + unit.hex.lowercased())
            }
        default: append(String(scalar))
        }
    }

    private static func standsForItself(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension Unicode.Scalar {
    /// Whether the character is invisible and may change how nearby text is shown, such as a control, a direction mark
    /// or a separator.
    var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
