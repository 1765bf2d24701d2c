// Why record options do not form a message — Docs/JSON.md, Errors

/// The reasons why record options do not form a message, one for each remedy.
public enum RecordOptionError: Error, Hashable {
    /// No record option was given.
    case noRecords
    /// The option has an `=`, but no value follows it.
    case noValue(RecordOption.Name)
    /// The value does not have the option's form.
    case badForm(RecordOption.Name, form: String, example: String)
    /// The value has the right form, but its content cannot be stored in the record.
    case badValue(RecordOption.Name, reason: String)
    /// A title has no smart poster before it.
    case titleWithoutPoster
    /// A smart poster has two titles in the same language.
    case secondTitle(language: String)
    /// A placeholder requires a chip, but there is none.
    case placeholderWithoutTag
    /// Two options read stdin.
    case standardInputTwice
    /// A file cannot be read, or does not have the expected content.
    case input(InputError)
    /// The words of the command line differ from what the parser read, which is a bug.
    case orderLost
}

extension RecordOptionError: CustomStringConvertible {
    /// The error and its cause, in full sentences.
    public var description: String {
        switch self {
        case .noRecords:
            let names = RecordOption.Name.allCases.filter { $0 != .title }.map(\.option)
            return "Give at least one record: \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")."
        case .noValue(let name):
            return "\(name.option)= has no value."
        case .badForm(let name, let form, let example):
            return "\(name.option) takes \(form), for example: \(name.option) \(example)"
        case .badValue(let name, let reason):
            return "\(name.option): \(reason)"
        case .titleWithoutPoster:
            return "--title needs a smart poster before it: --smart-poster URI --title TEXT"
        case .secondTitle(let language):
            return "This is the second title in “\(language)”, but a smart poster has only one title per language."
        case .placeholderWithoutTag:
            return "{uid:mirror} and {counter:mirror} are filled in by a chip."
        case .standardInputTwice:
            return "Only one option can read standard input. For the others, use a file: @FILE"
        case .input(let error):
            return error.description
        case .orderLost:
            return "The order of the record options is lost. Nothing was written."
        }
    }
}
