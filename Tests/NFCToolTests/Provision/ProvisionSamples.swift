// A run with a plan of a thousand rows, event by event

import Foundation
import Hexadecimal
import ProvisionPresentation
import Provisioning
import ReaderInterface

enum ProvisionSamples {
    static let reader = "pn532_uart:/dev/ttyUSB0"
    static let began = Date(timeIntervalSince1970: 1_700_000_000)
    /// Content that only an attacker would write to a tag.
    static let hostile =
        "\u{1B}[31m\u{202E}evil\n\u{7}漢字👨‍👩‍👧 "
        + String(repeating: "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", count: 40)

    static func row(_ number: Int) -> PlanRow { PlanRow(number: number, line: number + 1, fields: []) }

    static func tag(_ number: UInt8, chip: String = "NTAG215", reader: String = reader) -> ProvisionedTag {
        ProvisionedTag(reader: reader, uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, number, 0x80].hex, chip: chip)
    }

    static func proven(_ number: UInt8, reader: String = reader) -> ProvisionEvent {
        .finished(
            tag(number, reader: reader), row: row(Int(number)), state: .proven,
            RowProof(messageLength: 61, sha256: "", signature: nil, seconds: 0.31))
    }

    static func refused(_ number: UInt8, _ cause: RefusalCause = .wrongChip) -> ProvisionEvent {
        .refused(
            tag(number, chip: "NTAG213"), cause: .known(cause), reason: "It is NTAG213, but the row requires NTAG215.",
            isQuarantined: false)
    }

    static func cut(_ number: UInt8) -> ProvisionEvent {
        .cut(tag(number), row: row(Int(number)), reason: "The tag left the field.")
    }

    static func summary(done: Int, of rows: Int = 1000, open: [JournalRow] = []) -> ProvisionSummary {
        ProvisionSummary(
            counts: ProvisionCounts(
                states: [.pending: rows - done - open.count, .proven: done, .bound: open.count], waitingForSeal: 0,
                locked: 0), open: open, provenNow: 12, refusedNow: 1, elapsed: .seconds(75))
    }

    static let openRow = JournalRow(
        row: row(7), state: .bound,
        tag: BoundTag(uid: [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x07, 0x80], chip: "NTAG215", reader: reader, bound: began),
        proof: nil, reason: nil, changed: nil)

    /// Each kind of event, at intervals of one second.
    static let run: [ProvisionEvent] = [
        .readerOpened(reader: reader), .started(tag(40), row: row(40)), proven(40), .removed(tag(40)), proven(41),
        proven(42), .known(tag(3), row: row(3), state: .sealed), cut(43), refused(99),
        .failed(tag(44), row: row(44), cause: .brokenRules, reason: "Page 9 holds other bytes."),
        .refused(tag(98), cause: StoredCause(word: hostile), reason: hostile, isQuarantined: true),
        .commandFailed(tag(42), row: row(42), reason: hostile),
        .readerLost(reader: reader, .readerGone, reason: hostile), .readerOpened(reader: reader),
        .finished(
            ProvisionedTag(reader: hostile, uid: hostile, chip: hostile), row: row(45), state: .sealed,
            RowProof(messageLength: .max, sha256: "", signature: nil, seconds: .infinity)),
        .ended(summary(done: 45)),
    ]

    static func board(_ events: [ProvisionEvent], open: [JournalRow] = [openRow], limit: Int? = nil) -> ProvisionBoard {
        var board = ProvisionBoard(
            plan: "tags.csv", start: summary(done: 39, open: open), limit: limit, began: began)
        for (second, event) in events.enumerated() { board.apply(event, at: .seconds(second)) }
        return board
    }
}
