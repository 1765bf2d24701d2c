// The keys of MIFARE Classic cards: from files and from the command line

import ArgumentParser
import SafeTag
import TagTypes

/// The keys to try on a MIFARE Classic, besides those everybody knows.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with keys of MIFARE Classic cards; may be given several times. For sdm, one with the keys of the tag.",
            discussion: """
                A list with one key per line (12 hexadecimal digits, # begins a comment), or a dump with keys. The well-known \
                public keys are always tried.
                """, valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(
        name: .customLong("key"),
        help: ArgumentHelp(
            "A key of a MIFARE Classic; may be given several times.",
            discussion: "Other users of this computer can see it in the list of processes: --key-file hides it.",
            valueName: "hex"))
    var texts: [String] = []

    /// The first option given; nil where there is none.
    var givenOption: String? { files.isEmpty ? texts.isEmpty ? nil : "--key" : "--key-file" }

    /// The keys of the options, and those everybody knows.
    func ring() throws -> ClassicKeyRing {
        let ring = ClassicKeyRing()
        for text in texts {
            guard let key = ClassicKeyText.key(text.utf8) else { throw NotAKey() }
            ring.add(key, from: .argument)
        }
        for file in files { try ClassicKeyFile(path: file).add(to: ring) }
        return ring
    }
}

/// A text that is no key; it is never repeated in the message.
struct NotAKey: Failure {
    var name: ErrorName { .usage }
    var message: String { "The text after --key is no key: it takes \(ClassicKeyText.form)." }
}
