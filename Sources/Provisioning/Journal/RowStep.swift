// The steps that a row can take, and the rules for them in every journal

package import Foundation

/// A step of a row.
///
/// A step that results from an operation on a tag names the tag, because the row may meanwhile belong to another tag.
public enum RowStep: Hashable, Sendable {
    /// A tag gets the row.
    case bind(BoundTag)
    /// The row reached another state. The reason replaces the stored one.
    case advance(of: [UInt8], to: RowState, RowProof?, reason: String?)
    /// The row's tag was not finished this time, for this reason. The state of the row stays the same.
    case note(of: [UInt8], String)
    /// The tag of a verified row was read again. The reason says what is wrong, or is nil if the tag holds its row.
    ///
    /// Any station may take this step.
    case remark(of: [UInt8], String?)
    /// The row's tag holds its old content again. The tag can be recorded as refused in the same step.
    case free(of: [UInt8], refusing: RefusedTag?)
    /// The user reports that the row's tag is lost or broken. The tag is recorded as refused in the same step.
    case release(evenIfProven: Bool)
    /// The row becomes pending again although a tag holds it.
    case reset

    /// The UID of the tag that must have the row for this step.
    ///
    /// Nil if the step is not limited to rows of this station.
    package var uid: [UInt8]? {
        switch self {
        case .advance(let uid, _, _, _), .note(let uid, _), .free(let uid, _): uid
        // A remark can apply to a row of any station, as can the steps of an administrator.
        case .bind, .remark, .release, .reset: nil
        }
    }

    /// Returns the tag to record as refused in the same step, or nil if there is none.
    ///
    /// `row` is the row before the step.
    package func refusedTag(of row: JournalRow) -> RefusedTag? {
        switch self {
        case .free(_, let tag): tag
        case .release: row.tag.map { RefusedTag.released(from: row, $0) }
        case .bind, .advance, .note, .remark, .reset: nil
        }
    }
}

extension RowState {
    /// The states that the row can reach from its present state, apart from becoming pending again.
    ///
    /// A written row may be written again, if the tag turns out to be incomplete or a step was not confirmed. A failed
    /// row continues when its tag is placed again, and may fail again.
    package var next: Set<RowState> {
        switch self {
        case .pending: []
        case .bound: [.written, .failed]
        case .written: [.written, .proven, .failed]
        case .proven: [.sealed, .failed]
        case .failed: [.written, .failed]
        // The tag was erased or changed, which is possible if it is protected by a password but not locked.
        case .sealed: [.failed]
        }
    }
}

extension JournalRow {
    /// Whether the tag was verified to hold the row, or completely written.
    ///
    /// A row that failed after it was verified is still on its tag. A written row probably is, too: only its
    /// verification is missing. If this is false, the tag may nevertheless hold the row: the last answer of a write may
    /// have been lost.
    package var isOnTag: Bool { proof != nil || state == .written }

    /// Returns the row after a step.
    ///
    /// This does not check that the tag has no other row and is not in quarantine. The journal does so with
    /// ``BoundTag/requireFree(row:isQuarantined:)``.
    ///
    /// - Throws: `rowMoved`; `notPending`; `illegalStep`, `proofMissing`; `tagHoldsRow`; `underWay`.
    package func after(_ step: RowStep, at time: Date) throws(JournalError) -> JournalRow {
        let number = row.number
        if let uid = step.uid, tag?.uid != uid { throw .rowMoved(row: number) }
        switch step {
        case .bind(let tag):
            guard state == .pending else { throw .notPending(row: number, state: state) }
            return with(.bound, tag, nil, nil, time)
        case .advance(_, let next, let newProof, let reason):
            guard state.next.contains(next) else { throw .illegalStep(row: number, from: state, to: next) }
            if next == .proven && newProof == nil { throw .proofMissing(row: number) }
            return with(next, tag, newProof ?? proof, reason, time)
        case .note(_, let reason): return with(state, tag, proof, reason, time)
        case .remark(let uid, let reason):
            guard tag?.uid == uid else { throw .rowMoved(row: number) }
            guard state == .proven || state == .sealed else { throw .illegalStep(row: number, from: state, to: state) }
            return with(state, tag, proof, reason, time)
        case .free:
            guard state == .bound || state == .written else {
                throw .illegalStep(row: number, from: state, to: .pending)
            }
            return with(.pending, nil, nil, reason, time)
        case .release(let evenIfProven):
            guard let tag else { throw .illegalStep(row: number, from: state, to: .pending) }
            if isOnTag && !evenIfProven { throw .tagHoldsRow(row: number, state: state, uid: tag.uid) }
            return with(.pending, nil, nil, reason, time)
        case .reset:
            guard state != .bound, state != .written else {
                throw .underWay(row: number, state: state, uid: tag?.uid ?? [])
            }
            return with(.pending, nil, nil, nil, time)
        }
    }

    private func with(
        _ state: RowState, _ tag: BoundTag?, _ proof: RowProof?, _ reason: String?, _ time: Date
    ) -> JournalRow {
        // After a remark or a note, a verified row keeps the time at which its tag was verified, locked or protected.
        let keepsTime = state == self.state && (state == .proven || state == .sealed)
        return JournalRow(
            row: row, state: state, tag: tag, proof: proof, reason: reason, changed: keepsTime ? changed : time,
            station: station)
    }
}

extension BoundTag {
    /// Checks that the tag may get a row.
    ///
    /// - Parameters:
    ///   - row: the number of the tag's row, or nil if it has none.
    ///   - isQuarantined: whether the tag is in quarantine.
    /// - Throws: `tagHasRow` or `quarantined` if it may not.
    package func requireFree(row: Int?, isQuarantined: Bool) throws(JournalError) {
        if let row { throw .tagHasRow(uid: uid, row: row) }
        if isQuarantined { throw .quarantined(uid: uid) }
    }
}
