// The names of the files in a journal's folder

import Foundation
import Glibc
import SystemPackage

extension URL {
    /// Returns the names of the files in this folder, or no names if the folder does not exist.
    func fileNames() throws(WriteJournalError) -> [String] {
        // Foundation describes most errors only by a number.
        guard let folder = opendir(path) else {
            let error = Errno(rawValue: errno)
            guard error == .noSuchFileOrDirectory else {
                throw .notReadable(path: path, reason: error.description)
            }
            return []
        }
        closedir(folder)
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        } catch {
            throw .notReadable(path: path, reason: error.localizedDescription)
        }
    }
}
