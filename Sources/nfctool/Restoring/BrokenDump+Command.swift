// The command that saves a dump in JSON, the format that supports every tag

import Doctor
import Foundation
import ReaderInterface
import SafeTag

extension BrokenDump {
    /// The options that the command repeats, and whether each of them has a value.
    ///
    /// Keys on the command line are not repeated.
    private static let kept = [
        "--partial": false, "--reader": true, "--key-file": true, "--password-file": true, "--uid": true,
    ]

    /// Whether the file is not a dump of blocks, but its name is that of a virtual tag's file.
    var isOfVirtualTag: Bool { source.hasSuffix(".nfc") && kind == .badFile }

    /// Returns the command that saves the tag as JSON, with the options that the user gave.
    func command(after arguments: [String]) -> String {
        let name = URL(filePath: source).deletingPathExtension().relativePath
        var words = ["nfctool", "dump", source.isEmpty || source == "-" ? "tag.json" : name + ".json"]
        for (index, word) in arguments.enumerated() {
            guard let hasValue = Self.kept[String(word.prefix { $0 != "=" })] else { continue }
            words += [word] + (hasValue && !word.contains("=") ? arguments.dropFirst(index + 1).prefix(1) : [])
        }
        return words.map { ShellLine.quoted($0) }.joined(separator: " ")
    }
}
