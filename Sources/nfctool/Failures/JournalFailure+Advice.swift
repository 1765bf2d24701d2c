// Advice about a journal that could not be kept up to date

import Doctor
import Foundation
import SafeTag
import WriteJournal

extension JournalFailure {
    var advice: String? {
        guard case .done = standing else { return nil }
        let folder = URL(filePath: error.path).deletingLastPathComponent().path
        return """
            Nothing is left to do on the tag. Check who may write to the folder:  ls -ld \(ShellLine.quoted(folder))
            Then delete the journal entry that is named above. Otherwise a later command may treat the change as interrupted.
            """
    }
}
