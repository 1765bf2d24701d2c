// The files of virtual tags that a command creates, if its virtual reader names files that do not exist —
// Docs/VirtualReader.md

import Foundation
import ReaderSession

/// The virtual tags that did not exist when a command began.
struct NewTagFiles: Sendable {
    /// Whether the command's virtual tags have no file, so that they end with the command.
    private let areForgotten: Bool
    /// The paths, each with that of the most similar existing file, or nil if none is similar.
    private let missing: [(path: String, near: String?)]

    /// Finds the files that the reader names and that do not exist.
    ///
    /// Call this before the reader is opened.
    init(of reader: ReaderSpecification) {
        areForgotten = reader.forgetsTags
        missing = reader.tagFiles.filter { !FileManager.default.fileExists(atPath: $0) }
            .map { ($0, TagFileName($0).nearest) }
    }

    /// Reports the files that exist now, or that the tags of this command have none.
    ///
    /// A mistyped name also creates a virtual tag, and the user should notice it. If a similar name exists, the line is
    /// printed even if stderr is not a terminal.
    func tell(_ output: OutputOptions) {
        if areForgotten {
            Hint(output).show(
                "Virtual tags without a file end with the command. To keep one:  --reader virtual:tag.nfc")
        }
        for (path, near) in missing where FileManager.default.fileExists(atPath: path) {
            let text = "Created \(path), a new virtual tag."
            if let near { Hint(output).tell("\(text) Did you mean \(near)?") } else { Hint(output).show(text) }
        }
    }
}
