// Advice about a file that contains only a part of a tag

import Doctor
import ReaderInterface
import TagTypes
import VirtualPN532

/// Advice about dump files.
enum FileAdvice {
    /// The advice for an error; nil if there is none.
    static func text(for cause: any Error) -> String? {
        switch cause {
        case VirtualReaderError.badFile(let path, let error) where error.reason == .unknown:
            "See what the file holds:  nfctool info \(ShellLine.quoted(path))"
        case TagError.reader(.notInFile): "See what the file holds:  nfctool info FILE"
        default: nil
        }
    }
}
