// Errors from virtual readers, their descriptions and their control sockets

import Glibc

/// Errors from ``VirtualReader``, ``VirtualReaderSpec``, ``Antenna``, ``TagFile`` and ``ControlSocket``.
public enum VirtualReaderError: Error, Hashable, Sendable {
    /// The system could not create a pseudo-terminal or a pipe.
    ///
    /// The value is `errno`.
    case noPseudoTerminal(Int32)
    /// The system could not create a thread, or the pipe that wakes it.
    ///
    /// The value is `errno`.
    case noThread(Int32)
    /// The system could not create the sockets for two antennas.
    ///
    /// The value is `errno`.
    case noAntenna(Int32)
    /// The control socket could not be opened.
    ///
    /// The values are the path and `errno`.
    case noSocket(path: String, Int32)
    /// The kind of tag is unknown.
    ///
    /// The values are the given kind and all known kinds.
    case notAKind(String, known: [String])
    /// The option is unknown.
    ///
    /// The values are the given option and all known options.
    case notAnOption(String, known: [String])
    /// The value of an option is invalid.
    ///
    /// `expected` describes the values that the option accepts.
    case badValue(option: String, value: String, expected: String)
    /// The option has no effect, for the given reason.
    case withoutEffect(option: String, Reason)
    /// The same tag file is listed twice.
    case fileNamedTwice(path: String)
    /// The tag file contains a tag of a kind other than the one that the option `kind` names.
    case otherKind(path: String, found: String, wanted: String)
    /// The tag file cannot be read or written.
    ///
    /// The values are the path and `errno`.
    case fileInaccessible(path: String, Int32)
    /// Another reader uses the tag file, or another program has changed the file since it was read.
    ///
    /// `holder` is the program that holds the lock; nil if it is not known.
    case fileInUse(path: String, holder: String?)
    /// The tag file is damaged, describes a tag that cannot be simulated, or contains only a part of a tag.
    case badFile(path: String, FlipperFileError)
    /// The tag file is not a UTF-8 text file.
    case fileNotText(path: String)
    /// The tag file, which has a format other than Flipper's, cannot be used.
    ///
    /// The file is damaged, or it cannot store the present content of its tag. The reason is a sentence.
    case badDump(path: String, reason: String)
    /// A new file was requested for a kind of tag that Flipper's format does not support.
    case noFileFormat(VirtualTagKind)

    /// The reason why an option has no effect.
    public enum Reason: Hashable, Sendable {
        /// The part of the reader's description that is missing.
        ///
        /// It would give the option an effect.
        case noFile, noTags, noStream, noCountedFault, noLostTag, noNoise, noType2Tag
    }
}

extension VirtualReaderError: CustomStringConvertible {
    /// A sentence that describes the error and its cause.
    public var description: String {
        switch self {
        case .noPseudoTerminal(let code): "The system did not provide a pseudo-terminal: \(Self.text(code))."
        case .noThread(let code): "The system did not start a thread for the virtual reader: \(Self.text(code))."
        case .noAntenna(let code): "The system did not provide sockets for two antennas: \(Self.text(code))."
        case .noSocket(let path, let code): "The control socket \(path) cannot be opened: \(Self.text(code))."
        case .notAKind(let word, _):
            "Unknown virtual tag \"\(word)\". Name a kind, such as ntag215, or a file, such as tag.nfc."
        case .notAnOption(let word, let known):
            "Unknown option \"\(word)\". Known options: \(known.joined(separator: ", "))."
        case .badValue(let option, let value, let expected):
            "\"\(value)\" is not a value for \(option). Use \(expected)."
        case .withoutEffect(let option, let reason): "The option \(option) has no effect here. \(reason)"
        case .fileNamedTwice(let path): "The tag file \(path) is given twice. Give it once."
        case .otherKind(let path, let found, let wanted):
            "The tag file \(path) holds the kind \(found), not \(wanted). Leave out kind=\(wanted), or name a new file."
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
    /// Sentences that explain the reason and what would give the option an effect.
    public var description: String {
        switch self {
        case .noFile: "It sets the kind of tag in a new file. Name a FILE.nfc."
        case .noTags: "It numbers new tags. Name a KIND or a FILE.nfc."
        case .noStream: "Add stream, which places one tag after the other."
        case .noCountedFault: "Add loss, tear, nak, crc or corrupt."
        case .noLostTag: "Add loss or tear."
        case .noNoise: "Add noise, ber or edge."
        case .noType2Tag: "It needs an NTAG or a MIFARE Ultralight."
        }
    }
}
