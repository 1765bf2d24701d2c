// The files in a journal's folder: their names, and the incomplete ones of killed processes

import DurableFiles
import Foundation
import Glibc
import Hexadecimal
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

    /// Deletes the incomplete files that killed processes left in this folder.
    ///
    /// A file that a process is still writing stays.
    ///
    /// - Parameter uid: the UID of the tag whose files are deleted, or nil for all tags.
    /// - Throws: `WriteJournalError`.
    func removeLeftovers(of uid: [UInt8]? = nil) throws(WriteJournalError) {
        for name in try fileNames() {
            guard let destination = FileReplacement.destination(ofTemporary: name) else { continue }
            // All names begin with the UID: `UID.json`, `UID.record`, `UID-TIME.json`.
            if let uid, destination.prefix(while: { $0 != "." && $0 != "-" }) != uid.hex { continue }
            let file = appending(path: name)
            do throws(Errno) {
                try FileReplacement.removeAbandoned(file)
            } catch {
                throw .notWritable(path: file.path, reason: error.description)
            }
        }
    }
}
