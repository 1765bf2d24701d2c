// The names of the files in the folder of a journal

import Foundation

extension URL {
    /// The names of the files in this folder; none if there is no such folder.
    func fileNames() throws(WriteJournalError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        } catch {
            throw .notReadable(path: path, reason: error.localizedDescription)
        }
    }
}
