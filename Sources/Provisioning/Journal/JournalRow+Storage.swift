// Rows and tags as the journal's tables store them

import Foundation
import GRDB

extension JournalRow {
    static let columns =
        "number, line, fields, state, uid, chip, reader, bound, messageLength, sha256, signature, seconds, reason, changed"

    /// Reads a row of the table, or returns nil if nfctool never stores such a row.
    ///
    /// Each value is read with its stored type and then checked, so that a damaged file never crashes the program.
    init?(_ stored: Row) {
        let values = Array(stored.databaseValues)
        guard values.count == 14, let number = Int.fromDatabaseValue(values[0]), number > 0,
            let line = Int.fromDatabaseValue(values[1]),
            let fields = String.fromDatabaseValue(values[2]).flatMap(JournalText.fields),
            let state = String.fromDatabaseValue(values[3]).flatMap(RowState.init),
            let tag = Self.tag(values[4...7]), (tag == nil) == (state == .pending),
            let proof = Self.proof(values[8...11]), proof != nil || (state != .proven && state != .sealed),
            let reason = Self.text(values[12]),
            let changed = Self.time(values[13])
        else { return nil }
        self.init(
            row: PlanRow(number: number, line: line, fields: fields), state: state, tag: tag, proof: proof,
            reason: reason, changed: changed)
    }

    /// Converts a text value.
    ///
    /// An outer nil means that nfctool did not write the value, and an inner nil that the value is NULL.
    private static func text(_ value: DatabaseValue) -> String?? {
        if value.isNull { return .some(nil) }
        return String.fromDatabaseValue(value).map { .some($0) }
    }

    private static func time(_ value: DatabaseValue) -> Date?? {
        if value.isNull { return .some(nil) }
        return String.fromDatabaseValue(value).flatMap(JournalText.time).map { .some($0) }
    }

    private static func tag(_ values: ArraySlice<DatabaseValue>) -> BoundTag?? {
        let values = Array(values)
        if values.allSatisfy(\.isNull) { return .some(nil) }
        guard let uid = Data.fromDatabaseValue(values[0]), let chip = String.fromDatabaseValue(values[1]),
            let reader = String.fromDatabaseValue(values[2]),
            let bound = String.fromDatabaseValue(values[3]).flatMap(JournalText.time)
        else { return nil }
        return .some(BoundTag(uid: Array(uid), chip: chip, reader: reader, bound: bound))
    }

    private static func proof(_ values: ArraySlice<DatabaseValue>) -> RowProof?? {
        let values = Array(values)
        if values.allSatisfy(\.isNull) { return .some(nil) }
        guard let length = Int.fromDatabaseValue(values[0]), let sha256 = String.fromDatabaseValue(values[1]),
            let signature = text(values[2]), let seconds = Double.fromDatabaseValue(values[3])
        else { return nil }
        return .some(RowProof(messageLength: length, sha256: sha256, signature: signature, seconds: seconds))
    }
}

extension RefusedTag {
    static let columns = "uid, chip, reader, cause, reason, isQuarantined, time"

    var arguments: StatementArguments {
        [Data(uid), chip, reader, cause.word, reason, isQuarantined ? 1 : 0, JournalText.time(time)]
    }

    /// Reads a row of the table, or returns nil if nfctool never stores such a row.
    init?(_ stored: Row) {
        let values = Array(stored.databaseValues)
        guard values.count == 7, let uid = Data.fromDatabaseValue(values[0]),
            let chip = String.fromDatabaseValue(values[1]), let reader = String.fromDatabaseValue(values[2]),
            let cause = String.fromDatabaseValue(values[3]), let reason = String.fromDatabaseValue(values[4]),
            let isQuarantined = Int.fromDatabaseValue(values[5]),
            let time = String.fromDatabaseValue(values[6]).flatMap(JournalText.time)
        else { return nil }
        self.init(
            uid: Array(uid), chip: chip, reader: reader, cause: cause, reason: reason,
            isQuarantined: isQuarantined != 0, time: time)
    }
}
