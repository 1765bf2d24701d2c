// The settings of a row, apart from its records — Docs/CommandLine.md, provision

import Composing
public import TagTypes

/// The settings for a row's tag, apart from its message.
public struct RowSettings: Hashable, Sendable {
    /// The existing content of a tag that may be overwritten.
    public enum Overwrite: String, CaseIterable, Hashable, Sendable {
        /// No content: the tag must be empty.
        case never
        /// Only a message that is equal to the row's message.
        case same
        /// Any content.
        case always
    }

    /// The language of texts and titles, as an IANA language tag.
    public var language: String
    /// Whether the tag is locked permanently.
    public var lock: Bool
    /// Whether the tag gets a password.
    public var protect: Bool
    /// The password, or nil if there is none.
    public var password: Type2Credential?
    /// The required chip, or nil if any chip is accepted.
    public var require: RequiredChip?
    /// The existing content of the tag that may be overwritten.
    public var overwrite: Overwrite

    /// Creates settings.
    ///
    /// The defaults are those of the command line.
    public init(
        language: String = "en", lock: Bool = false, protect: Bool = false, password: Type2Credential? = nil,
        require: RequiredChip? = nil, overwrite: Overwrite = .never
    ) {
        self.language = language
        self.lock = lock
        self.protect = protect
        self.password = password
        self.require = require
        self.overwrite = overwrite
    }

    /// The columns of a plan that contain a setting for each row.
    enum Column: String, CaseIterable {
        case lang, lock, protect, password, require, overwrite
    }

    /// Applies the value of a row's column.
    ///
    /// An empty cell changes nothing.
    mutating func set(_ column: Column, to value: String, line: Int) throws(PlanError) {
        guard !value.isEmpty else { return }
        func bad(_ expected: String) -> PlanError {
            PlanError(line: line, column: column.rawValue, .badSetting(value: value, expected: expected))
        }
        switch column {
        case .lang: language = value
        case .lock, .protect:
            guard let answer = Answer(value) else { throw bad(Answer.accepted) }
            if column == .lock { lock = answer.isYes } else { protect = answer.isYes }
        case .password:
            guard let credential = PasswordText.credential(value) else {
                throw PlanError(line: line, column: column.rawValue, .badPassword)
            }
            password = credential
        case .require:
            guard let chip = RequiredChip(named: value) else {
                throw bad("a chip: \(RequiredChip.all.map(\.name).joined(separator: ", "))")
            }
            require = chip
        case .overwrite:
            guard let choice = Overwrite(rawValue: value.lowercased()) else { throw bad("never, same or always") }
            overwrite = choice
        }
    }

    package static let (lockLine, protectLine) = ("--lock", "--protect")

    private static let languagePrefix = "--lang "
    static let defaultLanguageLine = languagePrefix + RowSettings().language

    static let overwritePrefix = "--overwrite "

    static let requirePrefix = "--require "

    /// The lock and password that the tag gets after it is verified.
    public var seal: RowSeal { RowSeal(lock: lock, protect: protect) }

    /// The recipe lines of the settings, without the password.
    var lines: [String] {
        var lines = [Self.languagePrefix + language, Self.overwritePrefix + overwrite.rawValue]
        if lock { lines.append(Self.lockLine) }
        if protect { lines.append(Self.protectLine) }
        if let require { lines.append(Self.requirePrefix + require.name) }
        return lines
    }

    /// Whether a line of a recipe is a setting, and not a record option.
    static func isLine(_ line: String) -> Bool {
        line == lockLine || line == protectLine
            || [languagePrefix, overwritePrefix, requirePrefix].contains { line.hasPrefix($0) }
    }
}

/// A yes or no in one of the forms that spreadsheets and people write.
struct Answer {
    static let accepted = "yes, true, 1, no, false or 0"

    let isYes: Bool

    init?(_ text: String) {
        switch text.lowercased() {
        case "yes", "true", "1": isYes = true
        case "no", "false", "0": isYes = false
        default: return nil
        }
    }
}
