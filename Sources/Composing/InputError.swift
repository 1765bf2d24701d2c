// Why a file holds no data, or not the data it should — Docs/JSON.md, Errors

public import Hexadecimal
public import NDEF

/// Why input cannot be used.
///
/// `source` names it at the start of a sentence: a path, `The standard input`, `The value of --ndef`.
public enum InputError: Error, Hashable {
    /// It cannot be opened or read.
    case unreadable(source: String, reason: String)
    /// It goes on after ``InputFile/maximumLength`` bytes.
    case tooLong(source: String)
    /// It is not hexadecimal text.
    case notHex(source: String, HexTextError)
    /// It is not exactly one NDEF message.
    case notMessage(source: String, NDEFError)
    /// It is hexadecimal text where the bytes themselves were expected.
    case hexText(source: String, NDEFError)
}

extension InputError {
    /// What happened and why, in full sentences.
    public var message: String {
        switch self {
        case .unreadable(let source, let reason): "\(source) cannot be read: \(reason)."
        case .tooLong(let source): "\(source) is longer than 10 MiB, the limit."
        case .notHex(let source, let error): "\(source) is not hexadecimal text: \(error)"
        case .notMessage(let source, let error): "\(source) is not an NDEF message: \(error)"
        case .hexText(let source, _): "\(source) is hexadecimal text, not the bytes of an NDEF message. Add --hex."
        }
    }
}
