// A tag without a row that holds the message of a row that another tag has

import DurableFiles
import Hexadecimal
import SafeTag

extension ProvisionJournal {
    /// Returns the row that another tag was verified to hold, if this tag holds the same message.
    ///
    /// An empty message is never found.
    func row(heldBy reading: TagReading) throws(JournalError) -> JournalRow? {
        guard !reading.bytes.isEmpty, !reading.isErased else { return nil }
        return try row(verifiedWith: reading.bytes.sha256, length: reading.bytes.count)
    }
}

extension JournalRow {
    /// A sentence about a tag that holds the message of this row, which another tag has.
    var wordsForOtherTag: String {
        "It holds the message of row \(row.number), which the tag \(tag?.uid.hex ?? "") has."
    }
}
