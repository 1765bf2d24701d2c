// The details that scripts get about errors — Docs/JSON.md, Errors

import Foundation
import Hexadecimal
import NDEF
import Provisioning
import ReaderSession
import SafeTag
import TagImage
import TagRules
import TagTypes
import WriteJournal

extension FailureDetail {
    static func all(of error: any Error) -> [String: FailureDetail] {
        switch error {
        case let failure as any Failure: failure.details
        case let error as TagError: all(of: error)
        case let error as NDEFError: ["field": .text(error.field.rawValue), "offset": .number(error.offset)]
        case let broken as BrokenMessage: all(of: broken.error)
        case let broken as BrokenSequence: all(of: broken)
        case let broken as BrokenRules: all(of: broken)
        case let several as SeveralTags:
            ["uids": .list(several.uids.map(\.hex))].merging(several.hasMore ? ["more": .flag(true)] : [:]) { $1 }
        case let absence as NoTagToRecover:
            ["awaited": .list(absence.awaited.map(\.hex)), "uids": .list(absence.absence.others.map(\.hex))]
        case let closed as PerhapsClosed: ["limit": .number(closed.limit)]
        case let risk as PasswordRisk:
            risk.knownLimit.map { ["limit": .number($0), "wrongTries": .number(risk.record.possiblyWrongTries)] } ?? [:]
        case let cut as ProtectionCut: all(of: cut.cause).merging(["password": .text(cut.opener.rawValue)]) { $1 }
        case let unfinished as WriteInterrupted:
            all(of: unfinished.cut.cause).merging(unfinished.end.map { all(of: $0) } ?? [:]) { first, _ in first }
        case let mirror as MirrorInterrupted: all(of: mirror.cause).merging(contents(of: mirror)) { $1 }
        case let unfinished as UnfinishedWrite:
            [
                "uid": .text(unfinished.entry.uid.hex), "operation": .text(unfinished.entry.operation),
                "started": .text(unfinished.entry.started.formatted(.iso8601)),
            ]
        case let unfinished as UnfinishedProtection: ["uid": .text(unfinished.uid.hex)]
        case let unfinished as UnfinishedRestore: all(of: unfinished.half.pending)
        case let restore as RestoreInterrupted:
            all(of: restore.cause).merging(
                ["old": restore.old, "older": restore.older].compactMapValues { $0.map(FailureDetail.text) }
            ) { first, _ in first }
        case let dump as BrokenDump: all(of: dump.error)
        case let dump as UnsoundDump: all(of: dump.error)
        case let rewritten as RewrittenMeanwhile: ["uid": .text(rewritten.uid.hex)]
        case let row as RowInterrupted: ["uid": .text(row.uid), "row": .number(row.row)]
        case let cut as SDMSetupInterrupted: all(of: cut.cause).merging(["standing": .text("\(cut.standing)")]) { $1 }
        case let cut as KeyChangeInterrupted:
            all(of: cut.cause).merging(
                ["changed": .list(cut.changed.map(String.init)), "left": .list(cut.left.map(String.init))]) { $1 }
        case let cut as DynamicResetInterrupted: cut.keys.map(all) ?? all(of: cut.cause)
        case let interrupted as Interrupted: interrupted.told.map(all) ?? [:]
        default: [:]
        }
    }

    private static func all(of broken: BrokenRules) -> [String: FailureDetail] {
        ["line": broken.line.map(FailureDetail.number), "field": broken.key.map(FailureDetail.text)].compactMapValues(
            \.self)
    }

    private static func all(of broken: BrokenSequence) -> [String: FailureDetail] {
        let facts: [String: FailureDetail] = ["command": .text(broken.command), "number": .number(broken.number)]
        let more: [String: FailureDetail] =
            switch broken.reason {
            case .reader: [:]
            case .nak(let bits): ["found": .text("NAK \(bits.digit)")]
            case .noStatus(let length): ["found": .text("\(ByteCount(length))")]
            case .status(let found, let expected): ["found": .text(found.hex), "expected": .text("\(expected)")]
            }
        return facts.merging(more) { $1 }
    }

    static func all(of pending: PendingRestore) -> [String: FailureDetail] {
        let dump = pending.record?.dump.map { ["dump": FailureDetail.text($0)] } ?? [:]
        return dump.merging(
            [
                "uid": .text(pending.uid.hex), "operation": .text("restore"),
                "started": .text(pending.started.formatted(.iso8601)), "old": .text(pending.old.path),
            ]) { $1 }
    }

    private static func all(of error: TagImageError) -> [String: FailureDetail] {
        guard case .malformed(let place, _, _) = error else { return [:] }
        let field = ["field": FailureDetail.text(place.field)]
        return place.line.map { field.merging(["line": .number($0)]) { first, _ in first } } ?? field
    }

    private static func contents(of mirror: MirrorInterrupted) -> [String: FailureDetail] {
        if case .showing(.forward) = mirror.step { ["contents": .text("new")] } else { [:] }
    }

    private static func all(of error: TagError) -> [String: FailureDetail] {
        switch error {
        case .tooLong(let length, let capacity), .noRoomBeside(let length, let capacity):
            ["needed": .number(length), "capacity": .number(capacity)]
        case .protocolViolation(let field, _, _, let offset):
            offset.map { ["field": .text(field), "offset": .number($0)] } ?? ["field": .text(field)]
        case .verificationFailed(let offset): ["offset": .number(offset)]
        case .writeInterrupted(let contents, _, _, _): ["contents": .text("\(contents)")]
        case .wrongKey(let number): ["key": .number(number)]
        case .wrongPassword(.count(let remaining)): ["remaining": .number(remaining)]
        default: [:]
        }
    }
}
