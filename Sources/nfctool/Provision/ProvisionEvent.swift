// What happens while a plan is carried out: one value for JSON, lines and the terminal view — Docs/JSON.md

import Foundation
import Provisioning

/// One event of a provisioning.
enum ProvisionEvent: Sendable {
    /// A reader was opened, or opened again.
    case readerOpened(reader: String)
    /// A reader is set aside until it comes back.
    case readerLost(reader: String, name: ErrorName, reason: String)
    /// A tag got a row, or is given the rest of it.
    case started(ProvisionedTag, row: PlanRow)
    /// A blank tag is about to be initialised, which may set one-time bits.
    case initialising(ProvisionedTag, row: PlanRow, facts: String)
    /// The tag holds its row: verified, and closed as the row wants.
    case finished(ProvisionedTag, row: PlanRow, state: RowState, RowProof, seal: RowSeal = RowSeal())
    /// The tag had its row already, so nothing was done.
    case known(ProvisionedTag, row: PlanRow, state: RowState, seal: RowSeal = RowSeal())
    /// The tag was verified to hold its row, and is empty now: it gets the row again.
    case erased(ProvisionedTag, row: PlanRow)
    /// The tag got no row, or lost it again.
    case refused(ProvisionedTag, cause: String, reason: String, isQuarantined: Bool)
    /// The tag left before it was finished: it is to come back.
    case cut(ProvisionedTag, row: PlanRow, reason: String)
    /// The tag refuses to be finished, and the row stays with it.
    case failed(ProvisionedTag, row: PlanRow, cause: String, reason: String)
    /// Several different tags in a row had trouble on a reader: its antenna is the likely cause, not the tags.
    case weakField(reader: String, troubled: Int, of: Int)
    /// The tag is gone.
    case removed(ProvisionedTag)
    /// A command of `--exec` failed.
    case commandFailed(ProvisionedTag, row: PlanRow, reason: String)
    /// All there is to say at the end.
    case ended(ProvisionSummary)
}

/// A tag on a reader.
struct ProvisionedTag: Hashable, Sendable {
    /// The reader's connection string.
    let reader: String
    /// Upper-case hexadecimal.
    let uid: String
    /// The chip's name, or what activation tells of it.
    let chip: String
}

/// How far the plan has come.
struct ProvisionSummary: Hashable, Sendable {
    /// How far the rows are.
    let counts: ProvisionCounts
    /// The rows whose tags have to come back: bound, written, or proven and not sealed yet; at most ``listed``.
    let open: [JournalRow]
    /// Rows provisioned by this run.
    let provenNow: Int
    /// Tags this run refused.
    let refusedNow: Int
    let elapsed: Duration

    /// The rows that are provisioned.
    var done: Int { counts.provisioned }
    /// Whether that is every row.
    var isComplete: Bool { counts.isComplete }

    /// More rows than these are only counted.
    static let listed = 20

    var rows: Int { counts.rows }
    /// The rows that have no tag.
    var pending: Int { counts.pending }
}

extension ProvisionEvent: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, row, line, state, messageLength, sha256, signature, seconds
        case error, message, quarantined
        case troubled, tags
        case rows, provisioned, verified, locked, protected
        case pending, bound, written, proven, sealed, failed, open, provenNow, refusedNow
    }

    /// The `event` word.
    var word: String {
        switch self {
        case .readerOpened: "reader"
        case .readerLost: "readerLost"
        case .started: "started"
        case .initialising: "initialising"
        case .finished: "row"
        case .known: "known"
        case .erased: "erased"
        case .refused: "refused"
        case .cut: "cut"
        case .failed: "failed"
        case .weakField: "weakField"
        case .removed: "removed"
        case .commandFailed: "commandFailed"
        case .ended: "summary"
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(word, forKey: .event)
        switch self {
        case .readerOpened(let reader):
            try container.encode(reader, forKey: .reader)
        case .readerLost(let reader, let name, let reason):
            try container.encode(reader, forKey: .reader)
            try container.encode(name, forKey: .error)
            try container.encode(reason, forKey: .message)
        case .started(let tag, let row):
            try Self.encode(tag, row, to: &container)
        case .finished(let tag, let row, let state, let proof, let seal):
            try Self.encode(tag, row, to: &container)
            try Self.encode(state, seal, to: &container)
            try container.encode(proof.messageLength, forKey: .messageLength)
            try container.encode(proof.sha256, forKey: .sha256)
            try container.encodeIfPresent(proof.signature, forKey: .signature)
            try container.encode((proof.seconds * 1000).rounded() / 1000, forKey: .seconds)
        case .known(let tag, let row, let state, let seal):
            try Self.encode(tag, row, to: &container)
            try Self.encode(state, seal, to: &container)
        case .erased(let tag, let row):
            try Self.encode(tag, row, to: &container)
        case .refused(let tag, let cause, let reason, let isQuarantined):
            try Self.encode(tag, nil, to: &container)
            try container.encode(cause, forKey: .error)
            try container.encode(reason, forKey: .message)
            try container.encode(isQuarantined, forKey: .quarantined)
        case .cut(let tag, let row, let reason), .commandFailed(let tag, let row, let reason),
            .initialising(let tag, let row, let reason):
            try Self.encode(tag, row, to: &container)
            try container.encode(reason, forKey: .message)
        case .failed(let tag, let row, let cause, let reason):
            try Self.encode(tag, row, to: &container)
            try container.encode(cause, forKey: .error)
            try container.encode(reason, forKey: .message)
        case .weakField(let reader, let troubled, let count):
            try container.encode(reader, forKey: .reader)
            try container.encode(troubled, forKey: .troubled)
            try container.encode(count, forKey: .tags)
        case .removed(let tag):
            try Self.encode(tag, nil, to: &container)
        case .ended(let summary):
            try container.encode(summary.rows, forKey: .rows)
            let counts = summary.counts
            try container.encode(counts.provisioned, forKey: .provisioned)
            try container.encode(counts.verified, forKey: .verified)
            try container.encode(counts.locked, forKey: .locked)
            let keys: [(RowState, Key)] = [
                (.pending, .pending), (.bound, .bound), (.written, .written), (.proven, .proven), (.sealed, .sealed),
                (.failed, .failed),
            ]
            for (state, key) in keys { try container.encode(counts.states[state, default: 0], forKey: key) }
            try container.encode(summary.open.map(\.row.number), forKey: .open)
            try container.encode(summary.provenNow, forKey: .provenNow)
            try container.encode(summary.refusedNow, forKey: .refusedNow)
            try container.encode(summary.elapsed.inSeconds, forKey: .seconds)
        }
    }

    private static func encode(
        _ state: RowState, _ seal: RowSeal, to container: inout KeyedEncodingContainer<Key>
    ) throws {
        try container.encode(state, forKey: .state)
        try container.encode(state == .sealed && seal.lock, forKey: .locked)
        try container.encode(state == .sealed && seal.protect, forKey: .protected)
    }

    private static func encode(
        _ tag: ProvisionedTag, _ row: PlanRow?, to container: inout KeyedEncodingContainer<Key>
    ) throws {
        try container.encode(tag.reader, forKey: .reader)
        try container.encode(tag.uid, forKey: .uid)
        try container.encode(tag.chip, forKey: .chip)
        try container.encodeIfPresent(row?.number, forKey: .row)
        try container.encodeIfPresent(row?.line, forKey: .line)
    }
}

extension Duration {
    /// With a precision of milliseconds.
    var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
