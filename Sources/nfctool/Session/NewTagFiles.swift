// The files of virtual tags that a command creates, if its reader names files that do not exist —
// Docs/VirtualReader.md

import Foundation
import ReaderSession

/// The files of virtual tags that did not exist when a command began.
struct NewTagFiles: Sendable {
    private let missing: [String]

    /// Looks for the files that the reader names; called before the reader is opened.
    init(of reader: ReaderSpecification) {
        missing = reader.tagFiles.filter { !FileManager.default.fileExists(atPath: $0) }
    }

    /// Reports the files that exist now, because a mistyped name also creates a tag.
    func tell(_ output: OutputOptions) {
        for path in missing where FileManager.default.fileExists(atPath: path) {
            Hint(output).show("Created \(path), a new virtual tag.")
        }
    }
}
