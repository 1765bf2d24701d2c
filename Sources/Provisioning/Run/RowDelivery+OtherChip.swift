// A second chip whose UID equals that of a tag with a row — Docs/Provisioning.md, A tag that is placed again

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag

extension RowDelivery {
    /// Records and reports a tag that is another chip, because it has the UID of a row's tag but not its content.
    ///
    /// UIDs of 4 bytes are not unique, and copied chips repeat UIDs. The row's own tag cannot have been erased or
    /// changed if it is locked or is on another reader now, so this tag must be another chip.
    ///
    /// - Returns: nil if this tag may be the one that has the row.
    func refusedAsOtherChip(
        _ tag: DetectedTag, _ chip: String, _ order: TagOrder, _ known: JournalRow
    ) async throws -> Outcome? {
        let uid = tag.target.identifier
        let fact: String
        if known.state == .sealed, order.lock {
            fact = "which is locked and cannot have been changed"
        } else if let reader = await desk.reader(with: uid, besides: session.reader) {
            fact = "which is on the reader \(reader) now"
        } else {
            return nil
        }
        let refusal = RefusedTag(
            uid: uid, chip: chip, reader: session.reader, cause: .sameUID,
            reason: "Another chip has the same UID as the tag of row \(known.row.number), \(fact).",
            isQuarantined: false, time: .now)
        do {
            try await desk.refuse(refusal)
        } catch let error as JournalError where error.isPassing {
            // A database that an earlier version of nfctool prepared does not store this refusal.
        }
        tell(.refused(named(tag, chip), cause: refusal.cause, reason: refusal.reason, isQuarantined: false))
        return .refused
    }
}
