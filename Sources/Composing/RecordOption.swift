// One record option of a command line — Docs/CommandLine.md, Records

/// A record option with its value, both as given.
public struct RecordOption: Hashable, Sendable {
    /// The options by their long names.
    public enum Name: String, CaseIterable, Sendable {
        /// A record of a well-known type.
        case text, uri
        /// A smart poster.
        case smartPoster = "smart-poster"
        /// A title of the smart poster before it.
        case title
        /// A record of a media or external type, or an Android application.
        case mime, external, app
        /// Data that phones act on.
        case wifi, bluetooth, vcard, calendar
        /// A link that phones open in an app.
        case tel, mail, sms, geo
        /// An empty record.
        case empty
        /// The records of a message file.
        case ndef

        /// The option as it is typed.
        public var option: String { "--" + rawValue }

        /// Creates the option from a word of a command line.
        ///
        /// Returns nil for a word that is not an option, or that has an attached value.
        fileprivate init?(word: some StringProtocol) {
            guard word.hasPrefix("--") else { return nil }
            self.init(rawValue: String(word.dropFirst(2)))
        }
    }

    /// The name of the option.
    public let name: Name
    /// The value as typed, which is empty for `--empty`.
    public let value: String

    /// The forms that DATA in the value may have in addition to text.
    public let data: DataForms
    /// The language of a text or title if `--lang` sets it for this option, or nil for the common language.
    public let language: String?

    /// Creates an option from its name and value.
    public init(name: Name, value: String, data: DataForms = .all, language: String? = nil) {
        self.name = name
        self.value = value
        self.data = data
        self.language = language
    }
}

extension RecordOption {
    private static let languageOption = "--lang"

    /// Returns the record options among the words of a command line, in order, each with the language of the last
    /// `--lang` before it.
    ///
    /// swift-argument-parser collects the values of each option in a separate array, so the order across options is
    /// lost. This function reads the order from the words again. The result is reliable: in nfctool's `RecordOptions`,
    /// every record option except `--empty` takes the next word as its value, whatever it looks like, and no other
    /// option takes a word that begins with `--`. The word after a record option is therefore its value, and any other
    /// word that looks like a record option is one. `RecordOptions.inOrder(arguments:)` compares both results.
    /// - Throws: ``RecordOptionError/noValue(_:)`` for `--text=`, which the parser treats as `--text` with the next
    ///   word as value.
    public static func all(in words: some Collection<String>) throws(RecordOptionError) -> [RecordOption] {
        var options: [RecordOption] = []
        var language: String?
        var rest = Array(words)[...]
        while let word = rest.popFirst(), word != "--" {
            if let name = Name(word: word) {
                guard let value = name == .empty ? "" : rest.popFirst() else { break }
                options.append(RecordOption(name: name, value: value, language: language))
            } else if word == languageOption {
                language = rest.popFirst()
            } else if word.hasPrefix(languageOption + "=") {
                language = String(word.dropFirst(languageOption.count + 1))
            } else if let end = word.firstIndex(of: "="), let name = Name(word: word[..<end]) {
                let value = String(word[end...].dropFirst())
                guard name == .empty || !value.isEmpty else { throw .noValue(name) }
                options.append(RecordOption(name: name, value: value, language: language))
            }
        }
        return options
    }
}
