// A record that consists of arrays, and reports that are written to memory

import Foundation
import Provisioning

struct ReportRecord: ProvisioningRecord {
    static let begun = Date(timeIntervalSince1970: 1_795_273_000)
    var file = "plans/seats.csv"
    var rows: [JournalRow] = []
    var refused: [RefusedTag] = []
    var hasStations = false
    /// If set, the record fails after this many rows.
    var breaksAfter: Int?

    struct Broken: Error {}

    var recipe = ["--wifi ssid=a;password=geheim"]
    var plan: PlanIdentity { PlanIdentity(file: file, sha256: "AB12", recipe: recipe) }
    var begun: Date { Self.begun }

    func counts() throws -> [RowState: Int] {
        Dictionary(
            uniqueKeysWithValues: RowState.allCases.map { state in
                (state, rows.count { $0.state == state })
            })
    }

    func forEachRow(in states: Set<RowState>, _ body: (JournalRow) throws -> Void) throws {
        for (index, row) in rows.enumerated() where states.contains(row.state) {
            if let breaksAfter, index >= breaksAfter { throw Broken() }
            try body(row)
        }
    }

    func forEachRefusedTag(_ body: (RefusedTag) throws -> Void) throws { try refused.forEach(body) }
}

extension JournalRow {
    /// Returns a row with a tag whose UID ends with the row's number, and with a step after this many seconds.
    static func made(
        _ number: Int, _ state: RowState, fields: [PlanField] = [], reason: String? = nil, after seconds: Double = 0,
        took: Double = 0.842, signature: String? = "genuine", chip: String = "NTAG215", station: String? = nil
    ) -> JournalRow {
        let changed = ReportRecord.begun + seconds
        let isProven = state == .proven || state == .sealed
        return JournalRow(
            row: PlanRow(number: number, line: number + 1, fields: fields), state: state,
            tag: state == .pending
                ? nil
                : BoundTag(
                    uid: [4, 0xA1, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)],
                    chip: chip, reader: "pn532_uart:/dev/pts/3", bound: changed),
            proof: isProven
                ? RowProof(messageLength: 26, sha256: "5EED", signature: signature, seconds: took) : nil,
            reason: reason, changed: state == .pending ? nil : changed, station: station)
    }
}

extension ProvisionReport {
    /// A report of a record, with a fixed time.
    init(of record: ReportRecord, showsSecrets: Bool = false, title: String? = nil, isSummary: Bool = false) {
        self.init(
            record, showsSecrets: showsSecrets, written: ReportRecord.begun + 3600,
            timeZone: TimeZone(secondsFromGMT: 3600) ?? .gmt, title: title, isSummary: isSummary)
    }

    func text(_ format: ReportFormat) throws -> String {
        let pieces = Pieces()
        try write(format) { pieces.bytes += $0 }
        return String(decoding: pieces.bytes, as: UTF8.self)
    }

    private final class Pieces { var bytes: [UInt8] = [] }
}
