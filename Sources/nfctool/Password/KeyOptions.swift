// MIFARE Classic keys from files and from the command line

import ArgumentParser
import Composing
import SafeTag
import SecureDynamicMessaging
import TagTypes

/// The keys to try on a MIFARE Classic, in addition to the publicly known ones.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "A file with keys of MIFARE Classic cards; may be given several times. For sdm and --sdm, one with the keys of the tag.",
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

    /// The key option that was given.
    ///
    /// `--key-file` if both were given, and nil if neither was given.
    var givenOption: String? { files.isEmpty ? texts.isEmpty ? nil : "--key" : "--key-file" }

    /// Returns the keys of an NTAG 424 DNA, or nil if no file is given.
    ///
    /// `needed` contains the numbers of the keys that the file must contain. Throws ``UsageFailure`` if a second file
    /// or `--key` is given, and ``BadKeyFile`` if the file lacks a key or has an invalid line.
    func dynamic(naming needed: [Int] = []) throws -> SDMKeyFile? {
        guard files.count < 2, texts.isEmpty else {
            throw UsageFailure(message: "An NTAG 424 DNA needs exactly one --key-file, and no --key.")
        }
        return try files.first.map {
            try KeyFileOption.keys(in: OptionFile(option: "--key-file", path: $0), naming: needed)
        }
    }

    /// Returns the keys from the options, and the publicly known ones.
    func ring() throws -> ClassicKeyRing {
        let ring = ClassicKeyRing()
        for text in texts {
            guard let key = ClassicKeyText.key(text.utf8) else { throw NotAKey() }
            ring.add(key, from: .argument)
        }
        for file in files {
            try OptionFile(option: "--key-file", path: file).reading { try ClassicKeyFile(path: $0.path).add(to: ring) }
        }
        return ring
    }
}

struct KeyFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file with the keys. (default: zeros, as delivered)", valueName: "file"),
        completion: .file())
    var keyFile: String?

    /// Returns the keys in the file or, without a file, the factory keys.
    ///
    /// `needed` contains the numbers of the keys that the file must contain. Throws ``BadKeyFile`` if one of them is
    /// missing or a line is invalid.
    func file(naming needed: [Int]) throws -> SDMKeyFile {
        try keyFile.map { try Self.keys(in: OptionFile(option: "--key-file", path: $0), naming: needed) } ?? .factory
    }

    /// Reads the keys in a file.
    ///
    /// - Throws: ``BadKeyFile`` if a needed key is missing or a line is invalid; ``UnreadableOptionFile``.
    static func keys(in file: OptionFile, naming needed: [Int] = []) throws -> SDMKeyFile {
        let text = try file.reading { try $0.readText() }
        do throws(SDMKeyFile.BadLine) { return try SDMKeyFile(text, naming: needed) } catch {
            throw BadKeyFile(path: file.path, error: error)
        }
    }
}

/// A string on the command line that is not a key.
///
/// The message never repeats the string.
struct NotAKey: Failure {
    var name: ErrorName { .usage }
    var message: String { "The text after --key is not a key. Give \(ClassicKeyText.form)." }
}
