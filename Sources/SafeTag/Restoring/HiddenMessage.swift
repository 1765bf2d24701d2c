// A message that a restore writes but phones will not see, for example on a tag without a capability container

import TagImage
import TagTypes

extension RestorePlan {
    /// Finds the parts that a restore leaves out although phones see no message without them.
    ///
    /// - Parameters:
    ///   - dump: the dump to restore.
    ///   - present: the memory of the tag before the restore.
    /// - Returns: the parts, or none if phones see the message or the dump has no message.
    func partsNeededForMessage(of dump: TagImage, over present: TagImage) -> Parts {
        // Phones see the message even without the lock bits and the UID.
        let needed = keptParts.subtracting([.lockBits, .uid])
        guard !writes.isEmpty, !needed.isEmpty,
            let message = DumpedTag(dump, file: "").held?.bytes, !message.isEmpty,
            let after = DumpedTag(present.after(self), file: "").held, after.bytes == nil
        else { return [] }
        return needed
    }
}
