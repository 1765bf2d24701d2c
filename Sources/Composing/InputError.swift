// Why input contains no data, or not the expected data — Docs/JSON.md, Errors

public import Hexadecimal
public import NDEF

/// The reason why input cannot be used.
///
/// `source` names the input in words that can begin a sentence: a path, `Standard input`, `The value of --ndef`.
public enum InputError: Error, Hashable {
    /// The input cannot be opened or read.
    case unreadable(source: String, reason: String)
    /// The input is longer than ``InputFile/maximumLength`` bytes.
    case tooLong(source: String)
    /// The input is not hexadecimal text.
    case notHex(source: String, HexTextError)
    /// The input is not exactly one NDEF message.
    case notMessage(source: String, NDEFError)
    /// The input is hexadecimal text, although the bytes themselves were expected.
    case hexText(source: String, NDEFError)
}

extension InputError: CustomStringConvertible {
    /// The error and its cause, in full sentences.
    public var description: String {
        switch self {
        case .unreadable("", _): "The file name is empty."
        case .unreadable(let source, let reason): "\(source) cannot be read: \(reason)."
        case .tooLong(let source): "\(source) is longer than the limit of 10 MiB."
        case .notHex(let source, let error): "\(source) is not hexadecimal text: \(error)"
        case .notMessage(let source, let error): "\(source) is not an NDEF message: \(error)"
        case .hexText(let source, _): "\(source) is hexadecimal text, not the bytes of an NDEF message."
        }
    }
}
