// Errors of a virtual reader

import Glibc

/// Errors of ``VirtualReader``, ``VirtualReaderSpec`` and ``ControlSocket``.
public enum VirtualReaderError: Error, Hashable, Sendable {
    /// The system provided no pseudo-terminal (or pipe).
    ///
    /// The value is `errno`.
    case noPseudoTerminal(Int32)
    /// The system provided no thread.
    ///
    /// The value is `errno`.
    case noThread(Int32)
    /// The system provided no sockets for two antennas.
    ///
    /// The value is `errno`.
    case noAntenna(Int32)
    /// The control socket could not be opened.
    ///
    /// The values are the path and `errno`.
    case noSocket(path: String, Int32)
    /// An unknown kind of tag, with the known kinds.
    case notAKind(String, known: [String])
    /// An unknown option after `?`, with the known options.
    case notAnOption(String, known: [String])
    /// An invalid value of an option, with the expected form.
    case badValue(option: String, value: String, expected: String)
    /// An option without effect, with the reason.
    case withoutEffect(option: String, Reason)
    /// A file that is listed twice.
    case fileNamedTwice(path: String)
    /// A tag file that could not be read or written.
    ///
    /// The values are the path and `errno`.
    case fileInaccessible(path: String, Int32)
    /// A tag file that another reader uses, with the name of that program if known.
    case fileInUse(path: String, holder: String?)
    /// A tag file that is damaged, or describes a tag that is not simulated or not completely known.
    case badFile(path: String, FlipperFileError)
    /// A tag file that is not text.
    case fileNotText(path: String)
    /// A tag file in another format that is damaged or cannot store the present content of its tag.
    ///
    /// The reason is a sentence.
    case badDump(path: String, reason: String)
    /// A new tag file for a kind of tag that Flipper's format does not support.
    case noFileFormat(VirtualTagKind)

    /// The reason why an option has no effect.
    public enum Reason: Hashable, Sendable {
        /// The missing part of the reader's description that would give the option an effect.
        case noFile, noTags, noStream, noCountedFault, noLostTag, noNoise, noType2Tag
    }
}

extension VirtualReaderError: CustomStringConvertible {
    /// The error and its cause, as a sentence.
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
        case .badFile(let path, let error) where error.reason == .unknown:
            "The tag file \(path) contains only part of a tag, so it cannot be used as a virtual tag. \(error)"
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
    /// The reason, and how to give the option an effect, in sentences.
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
