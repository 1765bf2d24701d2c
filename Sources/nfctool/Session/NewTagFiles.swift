// The files of virtual tags that do not exist: commands that write content create them — Docs/VirtualReader.md

import Doctor
import Foundation
import ReaderSession
import Terminal
import VirtualPN532

/// The files of virtual tags that a reader's name contains and that did not exist when a command began.
struct NewTagFiles: Sendable {
    /// What a command does about files that do not exist.
    enum Policy: Sendable {
        /// The command creates them, because it writes content.
        case created
        /// The command ends with an error, because the name is probably misspelt.
        case refused
    }

    private let reader: ReaderSpecification
    private let missing: [String]

    /// Finds the files that the reader names and that do not exist.
    ///
    /// Call this before the reader is opened. A file in a folder that does not exist cannot be created, which is
    /// reported when the reader is opened.
    init(of reader: ReaderSpecification) {
        VirtualDumpFiles.register()
        self.reader = reader
        missing = reader.tagFiles.filter { path in
            TagFile.isName(path) && access(path, F_OK) != 0 && errno == ENOENT
                && FileManager.default.fileExists(atPath: TagFileName(path).folder)
        }
    }

    /// Checks that all files exist, unless the reader's name says which kind of tag to create.
    ///
    /// - Throws: ``NoTagFile``.
    func check(_ policy: Policy) throws(NoTagFile) {
        guard policy == .refused, !namesKind, let path = missing.first else { return }
        throw NoTagFile(path: path, reader: reader.text)
    }

    /// Whether the reader's name has the option `kind`.
    private var namesKind: Bool {
        let parts = reader.text.split(separator: "?", maxSplits: 1)
        return parts.dropFirst().contains { options in
            options.split { $0 == "&" || $0 == "," }.contains { $0.hasPrefix("kind=") }
        }
    }

    /// Reports the files that exist now.
    ///
    /// A mistyped name of a command that writes also creates a virtual tag, and the user should notice it.
    func tell(_ output: OutputOptions) {
        for path in missing where FileManager.default.fileExists(atPath: path) {
            Hint(output).show("Created \(path), a new virtual tag.")
        }
    }
}

/// The name of a virtual tag's file that does not exist, given to a command that does not create it.
struct NoTagFile: Failure, AdvisedError {
    let path: String
    /// The name of the reader, with all its tags and options.
    let reader: String

    var name: ErrorName { .badFile }
    var message: String { "The tag file \(path) does not exist." }
    var advice: String? {
        let name = reader + (reader.contains("?") ? "&" : "?") + "kind=ntag215"
        let creation = "To create it as a new virtual tag:  --reader \(ShellLine.quoted(name))"
        guard let near = TagFileName(path).nearest else { return creation }
        return "Did you mean  virtual:\(TerminalText.escaped(near)) ?\n\(creation)"
    }
}
