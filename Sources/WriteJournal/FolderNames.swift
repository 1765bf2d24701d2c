// The names of the files in a journal's folder

import Foundation

extension URL {
    /// Returns the names of the files in this folder, or no names if the folder does not exist.
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
