// A tag without a row that holds the same message as another tag

import DurableFiles
import Hexadecimal
import SafeTag

extension ProvisionJournal {
    /// Returns the row whose tag was verified to hold the same message as this tag, or nil if there is none.
    ///
    /// An empty message is never found.
    func row(heldBy reading: TagReading) throws(JournalError) -> JournalRow? {
        guard !reading.bytes.isEmpty, !reading.isErased else { return nil }
        return try row(verifiedWith: reading.bytes.sha256, length: reading.bytes.count)
    }
}

extension JournalRow {
    /// A sentence about another tag that holds the message of this row.
    var wordsForOtherTag: String {
        "It holds the same message as tag \(tag?.uid.hex ?? ""), which has row \(row.number)."
    }
}
