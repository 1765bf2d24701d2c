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
                ?? reader(path)
        default: nil
        }
    }

    /// Returns the advice for the name of a virtual reader in the place of a file, or nil for other paths.
    private static func reader(_ path: String) -> String? {
        guard path == "virtual" || path.hasPrefix("virtual:") else { return nil }
        return "This is the name of a reader. To use it:  --reader \(ShellLine.quoted(path))"
    }

    /// Returns the file that a journal moved aside from this path most recently.
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
