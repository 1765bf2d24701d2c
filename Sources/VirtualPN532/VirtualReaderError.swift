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
    /// A tag file that could not be read or written; path and `errno`.
    case fileInaccessible(path: String, Int32)
    /// A tag file that is damaged.
    case badFile(path: String, FlipperFileError)
    /// A tag file that is no text.
    case fileNotText(path: String)
    /// A new tag file of a kind that Flipper's format has no place for.
    case noFileFormat(VirtualTagKind)
}

extension VirtualReaderError: CustomStringConvertible {
    /// What happened and why, as a sentence.
    public var description: String {
        switch self {
        case .noPseudoTerminal(let code): "The system gave no pseudo-terminal: \(Self.text(code))."
        case .noThread(let code): "The system gave no thread: \(Self.text(code))."
        case .noAntenna(let code): "The system gave no sockets for two antennas: \(Self.text(code))."
        case .noSocket(let path, let code): "The control socket \(path) cannot be opened: \(Self.text(code))."
        case .notAKind(let word, let known):
            "\"\(word)\" is no kind of virtual tag; there are \(known.joined(separator: ", ")), and FILE.nfc."
        case .notAnOption(let word, let known):
            "\"\(word)\" is no option of a virtual reader; there are \(known.joined(separator: ", "))."
        case .badValue(let option, let value, let expected):
            "\"\(value)\" is no value for \(option), which takes \(expected)."
        case .fileInaccessible(let path, let code): "The tag file \(path) cannot be used: \(Self.text(code))."
        case .badFile(let path, let error) where error.isBeyondSimulation:
            "The tag file \(path) is of a tag that there is no virtual one of. \(error)"
        case .badFile(let path, let error): "The tag file \(path) is damaged: \(error)"
        case .fileNotText(let path): "The tag file \(path) is no text."
        case .noFileFormat(let kind):
            "A \(kind.rawValue) cannot be kept in a file: the .nfc format has no place for it."
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
