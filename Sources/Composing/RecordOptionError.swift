// Why record options make no message — Docs/JSON.md, Errors

/// Why record options make no message, by what the user is to do.
public enum RecordOptionError: Error, Hashable {
    /// There is no record option.
    case noRecords
    /// Nothing follows the `=`.
    case noValue(RecordOption.Name)
    /// The value has not the option's form.
    case badForm(RecordOption.Name, form: String, example: String)
    /// The value has the form, but says what the record cannot hold.
    case badValue(RecordOption.Name, reason: String)
    /// A title has no smart poster before it.
    case titleWithoutPoster
    /// A smart poster has a second title; it may have one for each language.
    case secondTitle(language: String)
    /// Only a chip can show what a placeholder asks for.
    case placeholderWithoutTag
    /// Two options read stdin.
    case standardInputTwice
    /// A file cannot be read, or is not what it should be.
    case input(InputError)
    /// The command line reads otherwise than the parser read it: a bug.
    case orderLost
}

extension RecordOptionError {
    /// What happened and why, in full sentences.
    public var message: String {
        switch self {
        case .noRecords:
            let names = RecordOption.Name.allCases.filter { $0 != .title }.map(\.option)
            return "Give at least one record: \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")."
        case .noValue(let name):
            return "\(name.option)= has no value. For an empty record: --empty"
        case .badForm(let name, let form, let example):
            return "\(name.option) takes \(form), for example: \(name.option) \(example)"
        case .badValue(let name, let reason):
            return "\(name.option): \(reason)"
        case .titleWithoutPoster:
            return "--title needs a smart poster before it: --smart-poster URI --title TEXT"
        case .secondTitle(let language):
            return
                "A smart poster has one title in each language, and this is its second one in “\(language)”. Put --lang before a title in another language."
        case .placeholderWithoutTag:
            return "{uid:mirror} and {counter:mirror} are filled in by a chip. Use them only with nfctool write."
        case .standardInputTwice:
            return "Only one option can read the standard input. Use a file for the others: @FILE"
        case .input(let error):
            return error.message
        case .orderLost:
            return "The order of the record options is lost. Nothing was written."
        }
    }
}
