// The files of virtual tags that a command created, because the name of its reader names files that did not exist —
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

    /// Tells the user which of them exist now: a mistyped name also makes a new tag.
    func tell(_ output: OutputOptions) {
        for path in missing where FileManager.default.fileExists(atPath: path) {
            Hint(output).show("Created \(path), a new virtual tag.")
        }
    }
}
