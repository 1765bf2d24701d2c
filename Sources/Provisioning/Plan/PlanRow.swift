// One row of a plan: what one tag is to get — Docs/CommandLine.md, provision

/// A row of the plan, as it stands in its file.
public struct PlanRow: Hashable, Sendable {
    /// The row's place in the plan, from 1; what `{n}` stands for.
    public let number: Int
    /// The line of the file on which it begins, from 1.
    public let line: Int
    /// Its columns, in the order of the file, each name once.
    public let fields: [PlanField]

    /// Makes a row of its parts.
    public init(number: Int, line: Int, fields: [PlanField]) {
        self.number = number
        self.line = line
        self.fields = fields
    }

    /// The value in a column; nil when the row has no such column.
    public subscript(column: String) -> String? { fields.first { $0.name == column }?.value }
}

/// One value of a row.
public struct PlanField: Hashable, Sendable, Codable {
    /// The column's name.
    public let name: String
    /// As text, without quotes.
    public let value: String

    /// Makes a value in a column of its parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What a plan is: by this a journal knows the plan it belongs to.
public struct PlanIdentity: Hashable, Sendable {
    /// The plan's file as it was named.
    public let file: String
    /// The SHA-256 of the file's bytes, upper-case hexadecimal.
    public let sha256: String
    /// What is written from each row besides its own columns: the templates and settings of the command line, a line each.
    public let recipe: [String]
    /// By what the run's password is known again; nil where no row gets it, and in journals of earlier versions.
    public let password: PlanPassword?

    /// Makes an identity of its parts.
    public init(file: String, sha256: String, recipe: [String], password: PlanPassword? = nil) {
        self.file = file
        self.sha256 = sha256
        self.recipe = recipe
        self.password = password
    }

    /// The lines of the recipe by which rows become what they become.
    ///
    /// Which tags may lose their content is said again by each run: it changes no row.
    var lastingRecipe: [String] { recipe.filter { !$0.hasPrefix(RowSettings.overwritePrefix) } }

    /// Whether a plan of the same rows would be carried out alike, but for its password.
    public func hasRecipe(of other: PlanIdentity) -> Bool { lastingRecipe == other.lastingRecipe }
}
