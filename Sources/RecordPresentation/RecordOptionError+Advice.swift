// The options of nfctool that help if a record cannot be created

package import Composing

extension InputError {
    /// A sentence that names the option that helps, or nil if no option does.
    package var advice: String? {
        switch self {
        case .hexText: "Add --hex."
        case .notMessage(let source, _) where source.hasSuffix(".nfc"):
            "If this is a dump of a tag, save its message first: nfctool read DUMP --output message.ndef"
        case .unreadable, .tooLong, .notHex, .notMessage: nil
        }
    }
}

extension RecordOptionError {
    /// A sentence that names the option or command that helps, or nil if none does.
    package var advice: String? {
        switch self {
        case .noValue: "For an empty record: --empty"
        case .secondTitle: "Put --lang before a title in another language."
        case .placeholderWithoutTag: "Use them only with nfctool write."
        case .input(let error): error.advice
        case .noRecords, .badForm, .badValue, .titleWithoutPoster, .standardInputTwice, .orderLost: nil
        }
    }
}
