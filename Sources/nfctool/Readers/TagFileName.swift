// The name of a virtual tag's file, and existing files that were probably meant

import Composing
import Foundation
import VirtualPN532

/// The path of a virtual tag's file as written by a user.
struct TagFileName {
    /// The part of the path before the file's own name: empty, or with a slash at the end.
    private let prefix: String
    private let name: String

    init(_ path: String) {
        let slash = path.lastIndex(of: "/")
        prefix = slash.map { String(path[...$0]) } ?? ""
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The folder of the file.
    private var folder: String { prefix.isEmpty ? "." : prefix }

    /// The path of the existing tag file in the folder with the most similar name, or nil if none is similar.
    ///
    /// Extensions are not compared. Names with fewer than three letters are similar to none, and files that are
    /// numbered differently, such as `tag1.nfc` and `tag2.nfc`, are not similar to each other.
    var nearest: String? {
        let stem = Self.stem(of: name)
        let letters = stem.filter { !$0.isNumber }
        guard letters.count >= 3 else { return nil }
        let stems = files.map { String(Self.stem(of: $0)) }
        let others = stems.filter { other in other.filter { !$0.isNumber } != letters }
        guard let near = Spelling(String(stem)).nearest(in: others), let index = stems.firstIndex(of: near) else {
            return nil
        }
        return prefix + files[index]
    }

    /// The path of the existing tag file whose name differs only in its extension or in upper and lower case, or nil
    /// if there is none.
    var withOtherExtension: String? {
        let stem = Self.stem(of: name).lowercased()
        return files.first { Self.stem(of: $0).lowercased() == stem }.map { prefix + $0 }
    }

    /// The paths of the tag files in the folder.
    var existing: [String] { files.map { prefix + $0 } }

    /// The names of the tag files in the folder, without links whose targets do not exist.
    private var files: [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return (names ?? []).filter { TagFile.isName($0) && FileManager.default.fileExists(atPath: prefix + $0) }
            .sorted()
    }

    private static func stem(of name: String) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name[...] }
        return name[..<dot]
    }
}
