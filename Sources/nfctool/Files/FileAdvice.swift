// Advice about a file that contains only a part of a tag, or was moved aside

import Composing
import Doctor
import Foundation
import ReaderInterface
import TagTypes
import VirtualPN532

enum FileAdvice {
    /// Returns the advice for an error, or nil if there is none.
    static func text(for cause: any Error) -> String? {
        switch cause {
        case VirtualReaderError.badFile(let path, let error) where error.reason == .unknown:
            "See what the file holds:  nfctool info \(ShellLine.quoted(path))"
        case TagError.reader(.notInFile): "See what the file holds:  nfctool info FILE"
        case InputError.unreadable(let path, _):
            setAside(path).map { "The tag was written since, and the file was renamed:  \(ShellLine.quoted($0))" }
        default: nil
        }
    }

    /// Returns the file that a journal at this path was most recently moved to.
    ///
    /// Nil if the path still exists or no such file exists.
    private static func setAside(_ path: String) -> String? {
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { return nil }
        var latest: String?
        for number in 1... {
            let place = "\(path).superseded-\(number)"
            guard files.fileExists(atPath: place) else { break }
            latest = place
        }
        return latest
    }
}
