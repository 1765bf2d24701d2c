// What may become of a row, step by step: the rules of every journal

package import Foundation

/// A step of a row.
///
/// A step from a tag names that tag: the row may have been released, and given to another, meanwhile.
public enum RowStep: Hashable, Sendable {
    /// A tag gets the row.
    case bind(BoundTag)
    /// Its tag has come further, or refuses to; the reason replaces the one that is there.
    case advance(of: [UInt8], to: RowState, RowProof?, reason: String?)
    /// Its tag was not finished this time; the state stays.
    case note(of: [UInt8], String)
    /// Its tag holds its old content again; that tag may be refused in the same step.
    case free(of: [UInt8], refusing: RefusedTag?)
    /// The user says that its tag is lost, or broken.
    case release(evenIfProven: Bool)
    /// It goes to another tag, though one holds it.
    case reset

    /// The UID of the tag that the row must have for this step; nil for a step that does not come from a tag.
    package var uid: [UInt8]? {
        switch self {
        case .advance(let uid, _, _, _), .note(let uid, _), .free(let uid, _): uid
        case .bind, .release, .reset: nil
        }
    }
}

extension RowState {
    /// The states a tag's row may come to from here, besides being given back.
    ///
    /// Written may be written again: a tag that was found torn after all, or a step that was not confirmed. A row that
    /// failed goes on when its tag is placed again, and may fail again.
    package var next: Set<RowState> {
        switch self {
        case .pending: []
        case .bound: [.written, .failed]
        case .written: [.written, .proven, .failed]
        case .proven: [.sealed, .failed]
        case .failed: [.written, .failed]
        // It was erased or changed, which is possible because it was protected by a password and not locked.
        case .sealed: [.failed]
        }
    }
}

extension JournalRow {
    /// The row after a step.
    ///
    /// A tag with a row, or in quarantine, gets none: that is for the journal to say, with ``requireFree(_:row:refusal:)``.
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
        case .free:
            guard state == .bound || state == .written else {
                throw .illegalStep(row: number, from: state, to: .pending)
            }
            return with(.pending, nil, nil, reason, time)
        case .release(let evenIfProven):
            guard let tag else { throw .illegalStep(row: number, from: state, to: .pending) }
            // A row that failed after it was proven is on its tag all the same.
            if proof != nil && !evenIfProven { throw .tagHoldsRow(row: number, state: state, uid: tag.uid) }
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
        JournalRow(row: row, state: state, tag: tag, proof: proof, reason: reason, changed: time, station: station)
    }
}

extension BoundTag {
    /// Requires that a tag may get a row.
    ///
    /// - Parameters:
    ///   - row: the number of the row that the tag has; nil for none.
    ///   - isQuarantined: whether it was refused, and gets no row any more.
    /// - Throws: `tagHasRow`, `quarantined`.
    package func requireFree(row: Int?, isQuarantined: Bool) throws(JournalError) {
        if let row { throw .tagHasRow(uid: uid, row: row) }
        if isQuarantined { throw .quarantined(uid: uid) }
    }
}
