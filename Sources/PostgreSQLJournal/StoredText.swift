// Text, rows and tags as the server's tables store them

import Foundation
import Hexadecimal
import Provisioning
import TextBytes

/// Escapes text from readers and chips.
///
/// PostgreSQL cannot store a NUL, so NULs are escaped with a backslash. Backslashes are therefore escaped too.
enum StoredText {
    static func stored(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\\") }) else { return text }
        return text.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\0", with: "\\0")
    }

    static func read(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        // Process bytes, because Swift combines a backslash and a following combining mark into one character.
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "\\"), UInt8(ascii: "\\")?): bytes.append(byte)
            case (UInt8(ascii: "\\"), UInt8(ascii: "0")?): bytes.append(0)
            default:
                bytes.append(byte)
                continue
            }
            rest.removeFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A row as the server returns it.
struct StoredRow: Decodable {
    let number: Int
    let line: Int
    let fields: String?
    let state: String
    let uid: String?
    let chip: String?
    let reader: String?
    let bound: String?
    let length: Int?
    let sha256: String?
    let signature: String?
    let seconds: Double?
    let reason: String?
    let changed: String?
    let version: Int
    let station: String?

    /// The row, or nil if its values are invalid, because no version of nfctool stores such a row.
    var row: JournalRow? {
        guard let state = RowState(rawValue: state), let fields = JournalText.fields(fields ?? "[]") else { return nil }
        var tag: BoundTag?
        if let uid {
            guard let uid = try? HexText.bytes(uid.utf8), let chip, let reader,
                let bound = bound.flatMap(JournalText.time)
            else {
                return nil
            }
            tag = BoundTag(uid: uid, chip: StoredText.read(chip), reader: StoredText.read(reader), bound: bound)
        }
        var proof: RowProof?
        if let length {
            guard let sha256, let seconds else { return nil }
            proof = RowProof(
                messageLength: length, sha256: sha256, signature: signature.map(StoredText.read), seconds: seconds)
        }
        guard (tag == nil) == (state == .pending), proof != nil || (state != .proven && state != .sealed) else {
            return nil
        }
        return JournalRow(
            row: PlanRow(number: number, line: line, fields: fields), state: state, tag: tag, proof: proof,
            reason: reason.map(StoredText.read), changed: changed.flatMap(JournalText.time), station: station)
    }
}

/// A row that a station has claimed for a future tag.
struct StoredClaim: Decodable {
    let number: Int
    let line: Int
    let fields: String
    let version: Int

    var row: PlanRow? {
        JournalText.fields(fields).map { PlanRow(number: number, line: line, fields: $0) }
    }
}

/// A refused tag, as sent to the server and returned by it.
struct StoredRefusal: Codable {
    let uid: String
    let chip: String
    let reader: String
    let cause: String
    let reason: String
    let quarantined: Bool
    let time: String

    init(_ tag: RefusedTag) {
        uid = tag.uid.hex
        (chip, reader) = (StoredText.stored(tag.chip), StoredText.stored(tag.reader))
        (cause, reason) = (StoredText.stored(tag.cause.word), StoredText.stored(tag.reason))
        (quarantined, time) = (tag.isQuarantined, JournalText.time(tag.time))
    }

    var tag: RefusedTag? {
        guard let uid = try? HexText.bytes(uid.utf8), let time = JournalText.time(time) else { return nil }
        return RefusedTag(
            uid: uid, chip: StoredText.read(chip), reader: StoredText.read(reader), cause: StoredText.read(cause),
            reason: StoredText.read(reason), isQuarantined: quarantined, time: time)
    }
}

/// A tag that is to get a row.
struct StoredTag: Encodable {
    let uid: String
    let chip: String
    let reader: String
    let bound: String

    init(_ tag: BoundTag) {
        uid = tag.uid.hex
        (chip, reader) = (StoredText.stored(tag.chip), StoredText.stored(tag.reader))
        bound = JournalText.time(tag.bound)
    }
}

/// A step to send to the server: the new state of the row.
struct StoredStep: Encodable {
    let number: Int
    /// The version of the row before the step, or nil if the version is not known.
    let version: Int?
    /// The UID of the tag that has the row before the step, in hexadecimal.
    let uid: String?
    let state: String
    var length: Int?
    var sha256: String?
    var signature: String?
    var seconds: Double?
    var reason: String?
    var refusal: StoredRefusal?

    init(_ before: JournalRow, version: Int, to after: JournalRow, refusing tag: RefusedTag?) {
        number = before.row.number
        self.version = version
        uid = before.tag?.uid.hex
        state = after.state.rawValue
        (length, sha256) = (after.proof?.messageLength, after.proof?.sha256)
        (signature, seconds) = (after.proof?.signature.map(StoredText.stored), after.proof?.seconds)
        reason = after.reason.map(StoredText.stored)
        refusal = tag.map(StoredRefusal.init)
    }

    /// Creates the step that releases a row that may have been bound to this tag.
    ///
    /// This is for a tag that was not changed.
    init(unbinding number: Int, from uid: [UInt8]) {
        self.number = number
        version = nil
        self.uid = uid.hex
        state = RowState.pending.rawValue
    }
}

/// The number of rows in a state.
struct StoredCount: Decodable {
    let state: String
    let seal: Int
    let count: Int
}

/// The answer from a function for stations.
struct Answer: Decodable {
    struct StepResult: Decodable {
        let number: Int
        let result: String
    }

    var result: String?
    var row: StoredRow?
    var refusal: StoredRefusal?
    var claims: [StoredClaim]?
    var counts: [StoredCount]?
    var results: [StepResult]?
    var tagRow: Int?
    var quarantined: Bool?
}

extension ProvisionCounts {
    /// Adds up the counts of the stations.
    ///
    /// In `seal`, 1 means a password and 2 a lock. The result is nil if the counts are impossible.
    init?(_ counts: [StoredCount]) {
        // In PostgreSQL, row numbers have the type `integer`.
        let mostRows = Int(Int32.max)
        var states: [RowState: Int] = [:]
        var (all, waiting, locked, protected) = (0, 0, 0, 0)
        for part in counts {
            guard let state = RowState(rawValue: part.state), part.count >= 0, part.count <= mostRows - all else {
                return nil
            }
            all += part.count
            states[state, default: 0] += part.count
            if state == .proven, part.seal > 0 { waiting += part.count }
            if state == .sealed, part.seal & 2 > 0 { locked += part.count }
            if state == .sealed, part.seal & 1 > 0 { protected += part.count }
        }
        self.init(states: states, waitingForSeal: waiting, locked: locked, protected: protected)
    }
}
