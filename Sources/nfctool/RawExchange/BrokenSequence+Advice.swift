// Advice about a sequence of raw commands that failed

import ReaderInterface
import TagTypes

extension BrokenSequence: AdvisedError {
    var advice: String? {
        guard isAuthentication, reason == .reader(.noAnswer) else { return nil }
        return """
            A MIFARE Classic does not answer if the key is wrong, or the block or the UID after it: check these first.
            60 takes key A of the block's sector, 61 takes key B. If they are right, hold the tag still and try again.
            """
    }
}
