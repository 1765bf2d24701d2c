// The events of a plan in JSON — Docs/JSON.md

import MemoryPresentation
public import Provisioning
import ReaderInterface

extension ProvisionEvent: Encodable {
    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, row, line, state, messageLength, sha256, signature, seconds
        case error, message, quarantined
        case troubled, refused, tags, stored, moved
        case label, agrees, problems, content, password, protectedFrom, readingProtected
        case signatures, seen, agreeing, unseen, firstUnseen, withoutTag
        case rows, locked, protected, open, provenNow, refusedNow
        case commandFailures, commandFailedRows
    }

    /// The value of `event` in JSON.
    private var word: String {
        switch self {
        case .readerOpened: "reader"
        case .readerLost: "readerLost"
        case .databaseAway: "databaseAway"
        case .databaseBack: "databaseBack"
        case .started: "started"
        case .initialising: "initialising"
        case .finished: "row"
        case .known: "known"
        case .erased: "erased"
        case .refused: "refused"
        case .cut: "cut"
        case .failed: "failed"
        case .weakField: "weakField"
        case .manyRefused: "manyRefused"
        case .removed: "removed"
        case .commandFailed: "commandFailed"
        case .checked: "checked"
        case .checkedAll: "verification"
        case .ended: "summary"
        }
    }

    /// Encodes an event as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(word, forKey: .event)
        switch self {
        case .readerOpened(let reader, let named):
            try container.encode(reader, forKey: .reader)
            try container.encodeIfPresent(ReaderNames().label(of: reader, named: named), forKey: .label)
        case .readerLost(let reader, let kind, let reason):
            try container.encode(reader, forKey: .reader)
            try container.encode(kind.word, forKey: .error)
            try container.encode(reason, forKey: .message)
        case .databaseAway(let reason, let keptRows, let keptTags):
            try container.encode(reason, forKey: .message)
            try container.encode(keptRows, forKey: .rows)
            try container.encode(keptTags, forKey: .refused)
        case .databaseBack(let back):
            try container.encode((back.after / .milliseconds(1)).rounded() / 1000, forKey: .seconds)
            try container.encode(back.stored, forKey: .stored)
            try container.encode(back.moved, forKey: .moved)
        case .started(let tag, let row, _):
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
            try container.encode(cause.word, forKey: .error)
            try container.encode(reason, forKey: .message)
            try container.encode(isQuarantined, forKey: .quarantined)
        case .initialising(let tag, let row, let target):
            try Self.encode(tag, row, to: &container)
            try container.encode(target.initialisingText, forKey: .message)
        case .cut(let tag, let row, let reason), .commandFailed(let tag, let row, let reason):
            try Self.encode(tag, row, to: &container)
            try container.encode(reason, forKey: .message)
        case .failed(let tag, let row, let cause, let reason):
            try Self.encode(tag, row, to: &container)
            try container.encode(cause.rawValue, forKey: .error)
            try container.encode(reason, forKey: .message)
        case .weakField(let reader, let troubled, let count):
            try container.encode(reader, forKey: .reader)
            try container.encode(troubled, forKey: .troubled)
            try container.encode(count, forKey: .tags)
        case .manyRefused(let reader, let refused, let count):
            try container.encode(reader, forKey: .reader)
            try container.encode(refused, forKey: .refused)
            try container.encode(count, forKey: .tags)
        case .removed(let tag):
            try Self.encode(tag, nil, to: &container)
        case .checked(let check):
            try Self.encode(check.tag, check.row?.row, to: &container)
            try container.encode(check.agrees, forKey: .agrees)
            try container.encode(check.problems, forKey: .problems)
            try container.encodeIfPresent(check.content, forKey: .content)
            try container.encodeIfPresent(check.isLocked, forKey: .locked)
            try container.encodeIfPresent(check.password, forKey: .password)
            try container.encodeIfPresent(check.protectedFrom, forKey: .protectedFrom)
            try container.encodeIfPresent(check.isReadingProtected, forKey: .readingProtected)
            try container.encodeIfPresent(check.signature, forKey: .signature)
            try container.encodeIfPresent(check.reason, forKey: .message)
        case .checkedAll(let summary):
            try container.encode(summary.rows, forKey: .rows)
            try container.encode(summary.seen, forKey: .seen)
            try container.encode(summary.agreeing, forKey: .agreeing)
            let problems = summary.problems.map { ($0.key.rawValue, $0.value) }
            try container.encode(Dictionary(uniqueKeysWithValues: problems), forKey: .problems)
            try container.encode(summary.signatures, forKey: .signatures)
            try container.encode(summary.locked, forKey: .locked)
            try container.encode(summary.protected, forKey: .protected)
            try container.encode(summary.unseen.count, forKey: .unseen)
            try container.encode(summary.withoutTag, forKey: .withoutTag)
            try container.encode(summary.firstUnseen, forKey: .firstUnseen)
            try container.encode(summary.elapsed.inSeconds, forKey: .seconds)
        case .ended(let summary):
            try summary.counts.encode(to: encoder)
            try container.encode(summary.open.map(\.row.number), forKey: .open)
            try container.encode(summary.provenNow, forKey: .provenNow)
            try container.encode(summary.refusedNow, forKey: .refusedNow)
            try container.encode(summary.commandFailures, forKey: .commandFailures)
            try container.encode(summary.commandFailedRows, forKey: .commandFailedRows)
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
