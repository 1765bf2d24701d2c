// A whole plan, checked before the first tag — Docs/CommandLine.md, provision

import Chips
import NDEF
public import PhoneLint

/// What is found out about a plan row by row.
public struct PlanCheck: Sendable {
    /// The number of bad rows to keep; the others are only counted.
    public static let badRowLimit = 1000
    /// Stands for the UID of a tag to come: 7 bytes, as nearly all have.
    private static let sampleUID: [UInt8] = [0x04, 0, 0, 0, 0, 0, 0]

    private let recipe: RowRecipe
    private let permitsFaults: Bool
    private let lint = PhoneLint()
    /// The rows that are none, or make no message that fits; the first ``badRowLimit``.
    public private(set) var badRows: [PlanError] = []
    /// How many there are in all.
    public private(set) var badRowCount = 0
    /// The rows that can be carried out.
    public private(set) var goodRowCount = 0
    /// The length of the shortest and the longest message in bytes; nil without any.
    public private(set) var messageLengths: ClosedRange<Int>?
    /// The exchanges with Type 2 Tags that all rows take.
    public private(set) var exchanges = ExchangeEstimate.none

    /// What phones will stumble over in good rows, by rule, in the order in which it was found.
    public private(set) var warnings: [RowWarning] = []
    /// How many good rows have their tags locked, and protected by a password.
    public private(set) var (lockedRowCount, protectedRowCount) = (0, 0)
    /// Whether the tag's UID is a part of the message of any good row.
    public private(set) var isOfUID = false
    /// Whether any good row's message has random digits in it.
    public private(set) var hasTokens = false
    /// How the plan's file was read.
    public internal(set) var notes: [PlanNote] = []
    /// Whether any good row's tag gets the password of the whole run.
    public private(set) var takesGeneralPassword = false
    private var hasOwnPasswords = false
    private var columns: [String] = []
    private var knownColumns: Set<String> = []
    /// More columns than these are not looked at: in JSON Lines each row may have its own.
    private static let columnLimit = 1000

    /// Begins to check a plan that is carried out like this.
    ///
    /// - Parameters:
    ///   - recipe: what is written, and how.
    ///   - permitsFaults: whether rows are good whose messages `ndef check` calls wrong.
    public init(recipe: RowRecipe, permitsFaults: Bool = false) {
        self.recipe = recipe
        self.permitsFaults = permitsFaults
    }

    /// The columns of all rows that do nothing.
    public var unusedColumns: [UnusedColumn] { recipe.unused(of: columns) }

    /// Whether the rows have passwords of their own, and nothing in the plan says which tags are to ask for them.
    public var hasIdlePasswords: Bool {
        hasOwnPasswords && protectedRowCount == 0 && !columns.contains(RowSettings.Column.protect.rawValue)
    }

    /// The column that seems to hold passwords and is not used, though tags get one; nil for none.
    public var unusedPasswordColumn: String? {
        guard protectedRowCount > 0 else { return nil }
        return unusedColumns.first { $0.meant == RowSettings.Column.password.rawValue }?.name
    }

    /// Which kinds of tag hold all messages.
    public var fits: [TagFit] {
        let all = messageLengths.map { TagFit.all(forLength: $0.upperBound) } ?? []
        return isSigned ? all.filter { $0.tag.chip == ChipModel.ntag424.listedName } : all
    }

    /// Whether tags fill in and sign their messages.
    public var isSigned: Bool { recipe.dynamic != nil }

    /// Checks an entry; nil when it is kept among ``badRows``.
    public mutating func add(_ entry: PlanEntry) -> CheckedRow? {
        do throws(PlanError) {
            switch entry {
            case .bad(let error): throw error
            case .row(let row):
                for field in row.fields where !knownColumns.contains(field.name) {
                    if let meant = recipe.nearName(of: field.name) {
                        throw PlanError(line: row.line, column: field.name, .otherCase(meant))
                    }
                    guard knownColumns.count < Self.columnLimit else { continue }
                    knownColumns.insert(field.name)
                    columns.append(field.name)
                }
                let checked = try check(row)
                let length = checked.messageLength
                goodRowCount += 1
                exchanges += ExchangeEstimate(messageLength: length)
                messageLengths =
                    min(
                        messageLengths?.lowerBound ?? length, length)...max(
                        messageLengths?.upperBound ?? length, length)
                return checked
            }
        } catch {
            badRowCount += 1
            if badRows.count < Self.badRowLimit { badRows.append(error) }
            return nil
        }
    }

    private mutating func check(_ row: PlanRow) throws(PlanError) -> CheckedRow {
        try recipe.requireValues(in: row)
        let order = try recipe.order(for: row)
        let message = try order.message(uid: Self.sampleUID)
        let length = message.message.length
        if let chip = order.settings.require, let capacity = chip.capacity, length > capacity {
            throw PlanError(line: row.line, .tooLarge(needed: length, capacity: capacity, chip: chip.name))
        }
        if isSigned, let capacity = ChipModel.ntag424.capacity, length > capacity {
            let chip = ChipModel.ntag424.shortName
            throw PlanError(line: row.line, .tooLarge(needed: length, capacity: capacity, chip: chip))
        }
        try review(message.message, of: row)
        if let column = order.strayBlanks.first { warn(RowWarning(strayBlankIn: column), of: row) }
        if order.settings.lock { lockedRowCount += 1 }
        if order.settings.protect { protectedRowCount += 1 }
        if order.isOfUID { isOfUID = true }
        if order.hasTokens { hasTokens = true }
        if order.hasOwnPassword { hasOwnPasswords = true }
        if order.takesGeneralPassword { takesGeneralPassword = true }
        return CheckedRow(order: order, message: message, messageLength: length)
    }

    /// Judges a row's message by the rules of `ndef check`.
    private mutating func review(_ message: NDEFMessage, of row: PlanRow) throws(PlanError) {
        let findings = lint.findings(beforeWriting: message)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty || permitsFaults else { throw PlanError(line: row.line, .faulty(errors.map(\.message))) }
        for finding in findings where finding.severity != .hint { warn(RowWarning(finding), of: row) }
    }

    private mutating func warn(_ warning: RowWarning, of row: PlanRow) {
        let place = warnings.firstIndex { $0.rule == warning.rule } ?? warnings.count
        if place == warnings.count { warnings.append(warning) }
        // A rule may find two things in one row.
        if warnings[place].last != row.number { warnings[place].add(row.number) }
    }
}

/// A row that can be carried out.
public struct CheckedRow: Sendable {
    /// What it orders.
    public let order: RowOrder
    /// Its message for a tag whose UID is 04 and six zeros.
    public let message: OrderedMessage
    /// In bytes.
    public let messageLength: Int
}

/// What phones will stumble over in some rows, or what their author did not see.
public struct RowWarning: Hashable, Sendable {
    /// The rule's name, in lowerCamel.
    public let rule: String
    /// How much it matters: a warning, or an error that was permitted.
    public let severity: Severity
    /// What is the matter with the first of the rows, a full sentence; may quote the message.
    public let message: String
    /// The rows.
    public private(set) var rows = RowNumbers()
    private(set) var last = 0

    init(_ finding: Finding) {
        (rule, severity, message) = (finding.rule, finding.severity, finding.message)
    }

    /// - Parameter column: the column in the first of the rows.
    init(strayBlankIn column: String) {
        rule = "strayBlank"
        severity = .warning
        message =
            "The cell \(column) begins or ends with a space, or contains a line break. It becomes part of the URI, "
            + "as %20 or %0A."
    }

    mutating func add(_ row: Int) {
        rows.add(row)
        last = row
    }

    /// The rows and the message, such as `Rows 1 to 20: iPhones ignore Wi-Fi records`.
    public var text: String { rows.text.prefix(1).uppercased() + rows.text.dropFirst() + ": " + message }
}

/// How many exchanges a row takes on a Type 2 Tag: an estimate, from which the time follows.
public struct ExchangeEstimate: Hashable, Sendable {
    /// READ, 16 bytes each.
    public private(set) var reads: Int
    /// WRITE, 4 bytes each.
    public private(set) var writes: Int

    static let none = ExchangeEstimate(reads: 0, writes: 0)

    private init(reads: Int, writes: Int) {
        self.reads = reads
        self.writes = writes
    }

    /// Estimates for a message: its TLV and terminator once written, closed and opened, and read back twice.
    public init(messageLength: Int) {
        // T, L of 1 byte or 3 from 255 bytes on, and the Terminator TLV — NFC Forum Type 2 Tag, TLV blocks.
        let length = messageLength + (messageLength < 0xFF ? 2 : 4) + 1
        let pages = (length + 3) / 4
        writes = pages + 2
        // UID, capability container and what was there before in about four more.
        reads = 2 * ((pages + 3) / 4) + 4
    }

    static func += (total: inout ExchangeEstimate, more: ExchangeEstimate) {
        total.reads += more.reads
        total.writes += more.writes
    }
}
