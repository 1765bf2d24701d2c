// The files of virtual tags that a command creates, if its virtual reader names files that do not exist —
// Docs/VirtualReader.md

import Foundation
import ReaderSession

/// The files of virtual tags that did not exist when a command began.
struct NewTagFiles: Sendable {
    private let missing: [String]

    /// Finds the files that the reader names and that do not exist.
    ///
    /// Call this before the reader is opened.
    init(of reader: ReaderSpecification) {
        missing = reader.tagFiles.filter { !FileManager.default.fileExists(atPath: $0) }
    }

    /// Reports the files that exist now.
    ///
    /// A mistyped name also creates a virtual tag, and the user should notice this.
    func tell(_ output: OutputOptions) {
        for path in missing where FileManager.default.fileExists(atPath: path) {
            Hint(output).show("Created \(path), a new virtual tag.")
        }
    }
}
