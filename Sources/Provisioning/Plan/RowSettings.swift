// What a row asks for besides its records — Docs/CommandLine.md, provision

import Composing
public import TagTypes

/// What happens to a row's tag besides the message.
public struct RowSettings: Hashable, Sendable {
    /// Which content of a tag may be lost.
    public enum Overwrite: String, CaseIterable, Hashable, Sendable {
        /// None: the tag must be empty.
        case never
        /// The same message that the row has.
        case same
        /// Any.
        case always
    }

    /// The language of texts and titles, an IANA tag.
    public var language: String
    /// Whether the tag is locked permanently.
    public var lock: Bool
    /// Whether the tag gets a password.
    public var protect: Bool
    /// The password; nil for none.
    public var password: Type2Credential?
    /// The chip it takes; nil for any.
    public var require: RequiredChip?
    /// Which content may be lost.
    public var overwrite: Overwrite

    /// Makes settings of the command line's.
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

    /// The columns of a plan that set something for their row.
    enum Column: String, CaseIterable {
        case lang, lock, protect, password, require, overwrite
    }

    /// Takes over what a row says; an empty cell says nothing.
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

    /// The lines that say that every tag is locked, and protected.
    static let (lockLine, protectLine) = ("--lock", "--protect")

    /// What the line begins with that says which tags may lose their content.
    static let overwritePrefix = "--overwrite "

    /// What the line begins with that says which chip every tag must be.
    static let requirePrefix = "--require "

    /// How the row's tag is closed once it is verified.
    public var seal: RowSeal { RowSeal(lock: lock, protect: protect) }

    /// The settings that are not usual, a line each; no password is among them.
    var lines: [String] {
        var lines = ["--lang \(language)", Self.overwritePrefix + overwrite.rawValue]
        if lock { lines.append(Self.lockLine) }
        if protect { lines.append(Self.protectLine) }
        if let require { lines.append(Self.requirePrefix + require.name) }
        return lines
    }
}

/// Yes or no, as spreadsheets and people write it.
struct Answer {
    /// What is accepted, in words.
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
