// The command that saves a dump in a format that supports the tag

import Doctor
import Foundation
import ReaderInterface
import SafeTag

extension BrokenDump {
    /// The options that the command repeats, and whether each has a value.
    ///
    /// Keys on the command line are not repeated.
    private static let kept = [
        "--partial": false, "--reader": true, "--key-file": true, "--password-file": true, "--uid": true,
    ]

    /// Whether the file is not a dump of blocks, but may be the file of a virtual tag.
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
