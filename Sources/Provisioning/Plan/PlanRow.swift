// One row of a plan, for one tag — Docs/CommandLine.md, provision

/// A row of the plan, as written in its file.
public struct PlanRow: Hashable, Sendable {
    /// The row's number in the plan, counted from 1.
    ///
    /// This is the value of `{n}`, except in a range, whose rows have a column `n`.
    public let number: Int
    /// The line of the file on which the row begins, counted from 1.
    public let line: Int
    /// The columns in the order of the file, with unique names.
    public let fields: [PlanField]

    /// Creates a row.
    public init(number: Int, line: Int, fields: [PlanField]) {
        self.number = number
        self.line = line
        self.fields = fields
    }

    /// Returns the value in a column, or nil if the row has no such column.
    public subscript(column: String) -> String? { fields.first { $0.name == column }?.value }
}

/// One value of a row.
public struct PlanField: Hashable, Sendable, Codable {
    /// The column's name.
    public let name: String
    /// The value as text, without quotes.
    public let value: String

    /// Creates a value in a column.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// The identity of a plan, by which a journal recognises its plan.
public struct PlanIdentity: Hashable, Sendable {
    /// The name of the plan's file, as the user gave it, or the options of a range.
    public let file: String
    /// The SHA-256 of the file's bytes or the range's options, in upper-case hexadecimal.
    public let sha256: String
    /// The templates and settings from the command line that apply to every row.
    ///
    /// Each element is one line.
    public let recipe: [String]
    /// The digest of the run's password or keys.
    ///
    /// Nil if no row needs a password or keys, or if an earlier version of nfctool created the journal.
    public let password: PlanPassword?

    /// Creates an identity.
    public init(file: String, sha256: String, recipe: [String], password: PlanPassword? = nil) {
        self.file = file
        self.sha256 = sha256
        self.recipe = recipe
        self.password = password
    }

    /// Whether the plan is a range of numbers, without a file.
    package var isRange: Bool { PlanRange(options: file) != nil }

    /// The lines of the recipe that affect the rows.
    ///
    /// The overwrite setting is left out, because each run specifies it again and it changes no row.
    var lastingRecipe: [String] { recipe.filter { !$0.hasPrefix(RowSettings.overwritePrefix) } }

    /// The lines of the recipe that affect the messages, without those for locks, passwords and the chip.
    private var messageRecipe: [String] {
        lastingRecipe.filter { line in
            line != RowSettings.lockLine && line != RowSettings.protectLine
                && !line.hasPrefix(RowSettings.requirePrefix)
        }
    }

    /// Whether equal rows of this plan and another one become equal messages, except for random digits.
    func hasMessages(of other: PlanIdentity) -> Bool { messageRecipe == other.messageRecipe }

    var drawsDigits: Bool { recipe.contains { $0.contains("{random") } }

    /// Whether another plan with the same rows would be written in the same way, except for its password.
    public func hasRecipe(of other: PlanIdentity) -> Bool { lastingRecipe == other.lastingRecipe }

    /// Whether the recipe names the records.
    ///
    /// If not, the plan's columns define the records.
    public var namesRecords: Bool { recipe.contains { !RowSettings.isLine($0) } }

    /// Whether the recipe names no records, and another plan has all of its settings.
    public func repeatsSettings(of other: PlanIdentity) -> Bool {
        !namesRecords && lastingRecipe.allSatisfy { other.recipe.contains($0) || $0 == RowSettings.defaultLanguageLine }
    }
}
