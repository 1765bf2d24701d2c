// MIFARE Classic keys from files and from the command line

import ArgumentParser
import Composing
import SafeTag
import SecureDynamicMessaging
import TagTypes

/// The keys to try on a MIFARE Classic, besides the publicly known ones.
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

    /// The key option that was given, `--key-file` if both were; nil if neither was.
    var givenOption: String? { files.isEmpty ? texts.isEmpty ? nil : "--key" : "--key-file" }

    /// The keys of an NTAG 424 DNA; nil if no file is given.
    ///
    /// `needed` holds the numbers of the keys that the file must contain. Throws ``UsageFailure`` for a second file or
    /// for `--key`, and ``BadKeyFile`` for a file that lacks a key or has a bad line.
    func dynamic(naming needed: [Int] = []) throws -> SDMKeyFile? {
        guard files.count < 2, texts.isEmpty else {
            throw UsageFailure(message: "An NTAG 424 DNA needs exactly one --key-file, and no --key.")
        }
        return try files.first.map { try KeyFileOption.file($0, needed) }
    }

    /// The keys that the options give, and the publicly known ones.
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

/// The source of a tag's keys.
struct KeyFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The file with the keys. (default: zeros, as delivered)", valueName: "file"),
        completion: .file())
    var keyFile: String?

    /// The keys of the file or, without a file, the factory keys.
    ///
    /// `needed` holds the numbers of the keys that the file must contain; throws ``BadKeyFile`` if one is missing or a
    /// line is bad.
    func file(naming needed: [Int]) throws -> SDMKeyFile { try keyFile.map { try Self.file($0, needed) } ?? .factory }

    static func file(_ path: String, _ needed: [Int] = []) throws -> SDMKeyFile {
        let text = try InputFile(path: path).readText()
        do throws(SDMKeyFile.BadLine) { return try SDMKeyFile(text, naming: needed) } catch {
            throw BadKeyFile(path: path, error: error)
        }
    }
}

/// A string that is not a key; the message never repeats it.
struct NotAKey: Failure {
    var name: ErrorName { .usage }
    var message: String { "The text after --key is not a key. Give \(ClassicKeyText.form)." }
}
