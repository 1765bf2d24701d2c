// Values of record options that are used unchanged, but were probably meant differently

/// A remark about a record option that still forms a record.
public enum RecordNotice: Hashable, Sendable {
    /// The text begins with `@` and the name of a file, but this option does not read files.
    case literalFileName(RecordOption.Name, file: String)
    /// The text is `@-`, but this option does not read standard input.
    case literalStandardInput(RecordOption.Name)
    /// The text contains something similar to a placeholder.
    case nearPlaceholder(text: String, meant: MirrorPlaceholder)

    /// Returns the notices about options, in order and without duplicates.
    ///
    /// If `areTemplates` is set, text that is similar to a placeholder is not reported, because the program fills in
    /// placeholders itself and refuses unknown ones.
    public static func all(on options: [RecordOption], areTemplates: Bool = false) -> [RecordNotice] {
        var notices: [RecordNotice] = []
        for option in options where [.text, .title].contains(option.name) {
            let file = String(option.value.dropFirst())
            if option.value == "@-" {
                notices.append(.literalStandardInput(option.name))
            } else if option.value.hasPrefix("@"), DataArgument.isFile(file) {
                notices.append(.literalFileName(option.name, file: file))
            }
            if !areTemplates, option.name == .text, let near = MirrorPlaceholder.nearMiss(in: option.value) {
                notices.append(.nearPlaceholder(text: near.text, meant: near.meant))
            }
        }
        return notices.enumerated().filter { index, notice in !notices[..<index].contains(notice) }.map(\.element)
    }

    /// Full sentences that say what happens and what may have been meant.
    public var message: String {
        switch self {
        case .literalFileName(let name, let file):
            """
            \(name.option) writes the text “@\(file)”, not the content of the file \(file). To write that: \(name.option) "$(cat \(file))"
            """
        case .literalStandardInput(let name):
            "\(name.option) writes the text “@-”, and does not read standard input. To write that: \(name.option) \"$(cat)\""
        case .nearPlaceholder(let text, let meant):
            "\(text) is written unchanged. A chip fills in \(meant.rawValue)."
        }
    }
}
