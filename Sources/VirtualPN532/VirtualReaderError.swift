// What can keep a virtual reader from working

import Glibc

/// Errors of ``VirtualReader``, ``VirtualReaderSpec`` and ``ControlSocket``.
public enum VirtualReaderError: Error, Hashable, Sendable {
    /// The system gave no pseudo-terminal (or pipe); `errno`.
    case noPseudoTerminal(Int32)
    /// The system gave no thread; `errno`.
    case noThread(Int32)
    /// The system gave no sockets for two antennas; `errno`.
    case noAntenna(Int32)
    /// The control socket could not be opened; path and `errno`.
    case noSocket(path: String, Int32)
    /// A word that is no kind of tag, with those that are.
    case notAKind(String, known: [String])
    /// A word after `?` that is no option, with those that are.
    case notAnOption(String, known: [String])
    /// An option's value that cannot be understood, with what is expected.
    case badValue(option: String, value: String, expected: String)
    /// An option that changes nothing here, with the reason.
    case withoutEffect(option: String, Reason)
    /// A file that is in the list of tags twice.
    case fileNamedTwice(path: String)
    /// A tag file that could not be read or written; path and `errno`.
    case fileInaccessible(path: String, Int32)
    /// A tag file that another reader uses, with the program where that could be found out.
    case fileInUse(path: String, holder: String?)
    /// A tag file that is damaged.
    case badFile(path: String, FlipperFileError)
    /// A tag file that is no text.
    case fileNotText(path: String)
    /// A tag file in another format is broken, or cannot store the present content of its tag; the reason is a sentence.
    case badDump(path: String, reason: String)
    /// A new tag file of a kind that Flipper's format has no place for.
    case noFileFormat(VirtualTagKind)

    /// Why an option has no effect.
    public enum Reason: Hashable, Sendable {
        case noFile, noTags, noStream, noCountedFault, noLostTag, noNoise, noType2Tag
    }
}

extension VirtualReaderError: CustomStringConvertible {
    /// What happened and why, as a sentence.
    public var description: String {
        switch self {
        case .noPseudoTerminal(let code): "The system did not provide a pseudo-terminal: \(Self.text(code))."
        case .noThread(let code): "The system did not provide a thread: \(Self.text(code))."
        case .noAntenna(let code): "The system did not provide sockets for two antennas: \(Self.text(code))."
        case .noSocket(let path, let code): "The control socket \(path) cannot be opened: \(Self.text(code))."
        case .notAKind(let word, let known):
            "Unknown virtual tag \"\(word)\". Known tags: \(known.joined(separator: ", ")), and FILE.nfc."
        case .notAnOption(let word, let known):
            "Unknown option \"\(word)\". Known options: \(known.joined(separator: ", "))."
        case .badValue(let option, let value, let expected):
            "\"\(value)\" is not a value for \(option). Use \(expected)."
        case .withoutEffect(let option, let reason): "The option \(option) has no effect here. \(reason)"
        case .fileNamedTwice(let path): "The tag file \(path) is given twice. Give it once."
        case .fileInaccessible(let path, let code): "The tag file \(path) cannot be used: \(Self.text(code))."
        case .fileInUse(let path, let holder):
            "The tag file \(path) is in use by \(holder ?? "another program")."
        case .badFile(let path, let error) where error.isBeyondSimulation:
            "The tag file \(path) is a dump of a tag that cannot be emulated. \(error)"
        case .badFile(let path, let error): "The tag file \(path) is damaged: \(error)"
        case .fileNotText(let path): "The tag file \(path) is not text."
        case .badDump(let path, let reason): "The tag file \(path) cannot be used: \(reason)"
        case .noFileFormat(let kind):
            "A \(kind.rawValue) cannot be saved to a file: the .nfc format does not support it."
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

extension VirtualReaderError.Reason: CustomStringConvertible {
    /// Why, and what the option needs, as a sentence.
    public var description: String {
        switch self {
        case .noFile: "It sets the kind of a new file. Name a FILE.nfc."
        case .noTags: "It numbers new tags. Name a KIND or a FILE.nfc."
        case .noStream: "Add stream, which places one tag after the other."
        case .noCountedFault: "Add loss, tear, nak, crc or corrupt."
        case .noLostTag: "Add loss or tear."
        case .noNoise: "Add noise, ber or edge."
        case .noType2Tag: "It needs an NTAG or a MIFARE Ultralight."
        }
    }
}
