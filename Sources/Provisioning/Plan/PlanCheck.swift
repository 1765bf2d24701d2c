// The check of a whole plan before the first tag — Docs/CommandLine.md, provision

import Chips
import NDEF
public import PhoneLint
import TagTypes

/// The results of checking a plan row by row.
public struct PlanCheck: Sendable {
    /// The maximum number of bad rows to keep.
    ///
    /// Other bad rows are only counted.
    public static let badRowLimit = 1000
    /// A placeholder for the UID of a future tag.
    ///
    /// Nearly all tags have a UID of 7 bytes.
    private static let sampleUID: [UInt8] = [0x04, 0, 0, 0, 0, 0, 0]

    private let recipe: RowRecipe
    private let permitsFaults: Bool
    private let lint = PhoneLint()
    /// The first ``badRowLimit`` rows that are invalid or have no message that fits.
    public private(set) var badRows: [PlanError] = []
    /// The total number of bad rows.
    public private(set) var badRowCount = 0
    /// The number of valid rows, which can be written.
    public private(set) var goodRowCount = 0
    /// The lengths of the shortest and the longest message in bytes, or nil if there is no message.
    public private(set) var messageLengths: ClosedRange<Int>?
    /// The valid rows whose messages are too long for the most common chip, ``commonChip``.
    public private(set) var longRows = RowNumbers()
    /// The chip that most plans use, and the length in bytes of the longest message that it holds.
    public static let commonChip = (name: ChipModel.ntag213.shortName, capacity: ChipModel.ntag213.capacity ?? 0)
    /// The estimated number of exchanges for writing all rows to Type 2 Tags.
    public private(set) var exchanges = ExchangeEstimate.none

    /// The problems that phones will have with valid rows, by rule, in the order in which they were found.
    public private(set) var warnings: [RowWarning] = []
    /// The number of valid rows whose tags get locked, and the number of valid rows whose tags get a password.
    public private(set) var (lockedRowCount, protectedRowCount) = (0, 0)
    /// Whether the message of any valid row contains the tag's UID.
    public private(set) var isOfUID = false
    /// Whether the message of any valid row contains random digits.
    public private(set) var hasTokens = false
    /// The chips that valid rows require.
    public private(set) var requiredChips: Set<RequiredChip> = []
    /// Notes on how the plan's file was read.
    public internal(set) var notes: [PlanNote] = []
    /// Whether any valid row has random digits, and accepts only a tag with the same message.
    public private(set) var expectsSameDigits = false
    /// Whether the tag of any valid row gets the password that is given for the whole run.
    public private(set) var takesGeneralPassword = false
    private var hasOwnPasswords = false
    /// Whether the tag of any valid row gets a 4-byte password, and whether the tag of any valid row gets a key.
    private var (needsPassword, needsKey) = (false, false)
    private var columns: [String] = []
    private var knownColumns: Set<String> = []
    /// The maximum number of columns to examine.
    ///
    /// In JSON Lines, each row may have its own columns.
    private static let columnLimit = 1000

    /// Creates a check for a plan with these settings.
    ///
    /// - Parameters:
    ///   - recipe: how rows become messages.
    ///   - permitsFaults: whether rows count as valid if `ndef check` reports errors in their messages.
    public init(recipe: RowRecipe, permitsFaults: Bool = false) {
        self.recipe = recipe
        self.permitsFaults = permitsFaults
    }

    /// The columns of all rows that have no effect.
    public var unusedColumns: [UnusedColumn] { recipe.unused(of: columns) }

    /// Whether the rows have passwords, but the plan does not say which tags to protect.
    public var hasIdlePasswords: Bool {
        hasOwnPasswords && protectedRowCount == 0 && !columns.contains(RowSettings.Column.protect.rawValue)
    }

    /// Notes on settings of the plan that have another effect than its author probably expects.
    var notesOnSettings: [PlanNote] {
        (hasIdlePasswords ? [.idlePasswords] : []) + (expectsSameDigits ? [.newDigits] : [])
    }

    /// The column that seems to hold passwords but is not used, although tags get a password.
    ///
    /// Nil if there is none.
    public var unusedPasswordColumn: String? {
        guard protectedRowCount > 0 else { return nil }
        return unusedColumns.first { $0.meant == RowSettings.Column.password.rawValue }?.name
    }

    /// The kinds of tag that can hold all messages.
    public var fits: [TagFit] {
        let all = messageLengths.map { TagFit.all(forLength: $0.upperBound) } ?? []
        return isSigned ? all.filter { $0.tag.chip == ChipModel.ntag424.listedName } : all
    }

    /// The names of the chips that can hold all messages and can be locked and protected as the rows require, smallest
    /// first.
    ///
    /// If rows require a certain chip, only a chip that suits all of these rows is named. If they require different
    /// chips, none is.
    public var fittingChips: [String] {
        guard let length = messageLengths?.upperBound else { return [] }
        if isSigned { return fits.filter(\.fits).map(\.tag.chip) }
        return ChipModel.all.filter { isCandidate($0, forLength: length) && isSuitable($0) }
            .sorted { ($0.capacity ?? 0) < ($1.capacity ?? 0) }.map { $0.isListed ? $0.listedName : $0.shortName }
    }

    private func isCandidate(_ chip: ChipModel, forLength length: Int) -> Bool {
        // Do not compare lengths here: each row was already checked against the chip that it requires.
        guard requiredChips.isEmpty else { return requiredChips.allSatisfy { $0.matches(chip) } }
        // No chip with a key is in the list of common tags.
        return (chip.isListed || needsKey) && chip.capacity ?? 0 >= length
    }

    private func isSuitable(_ chip: ChipModel) -> Bool {
        if lockedRowCount > 0 {
            // Other Type 5 Tags can only be marked as read-only, and other tools can remove the mark.
            if let layout = chip.type5Layout, layout.lock != .anyBlock { return false }
            // An NTAG 424 DNA accepts no change to its capability container without a key.
            if chip.id == ChipModel.ntag424.id { return false }
        }
        return switch chip.layout?.protection {
        case .password?: !needsKey
        case .tripleDES?, .aes?: !needsPassword
        case nil: !needsKey && !needsPassword
        }
    }

    /// Whether the tags fill in and sign their messages.
    public var isSigned: Bool { recipe.dynamic != nil }

    /// Checks an entry.
    ///
    /// If it is bad, adds it to ``badRows`` and returns nil.
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
                if length > Self.commonChip.capacity { longRows.add(checked.order.row.number) }
                exchanges += ExchangeEstimate(messageLength: length, locks: checked.order.settings.lock)
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
        let damages = order.damages
        try review(message.message, of: row, damages.first(where: \.isCertain)?.warning)
        for column in order.strayBlanks { warn(RowWarning(strayBlankIn: column), of: row) }
        for damage in damages { warn(damage.warning, of: row) }
        if let chip = order.settings.require { requiredChips.insert(chip) }
        if order.settings.lock {
            lockedRowCount += 1
        }
        if order.settings.protect {
            protectedRowCount += 1
            if case .password? = order.settings.password { needsPassword = true }
            if case .key? = order.settings.password { needsKey = true }
        }
        if order.isOfUID { isOfUID = true }
        if order.hasTokens {
            hasTokens = true
            if order.settings.overwrite == .same { expectsSameDigits = true }
        }
        if order.hasOwnPassword { hasOwnPasswords = true }
        if order.takesGeneralPassword { takesGeneralPassword = true }
        return CheckedRow(order: order, message: message, messageLength: length, isDamaged: !damages.isEmpty)
    }

    /// Checks a row's message with the rules of `ndef check`.
    ///
    /// If a cell is damaged, the error says this instead of what the damage did to the message.
    private mutating func review(_ message: NDEFMessage, of row: PlanRow, _ damage: RowWarning?) throws(PlanError) {
        let findings = lint.findings(beforeWriting: message)
        let errors = findings.filter { $0.severity == .error }
        guard errors.isEmpty || permitsFaults else {
            throw PlanError(line: row.line, .faulty(damage.map { [$0.message] } ?? errors.map(\.message)))
        }
        for finding in findings where finding.severity != .hint { warn(RowWarning(finding), of: row) }
    }

    private mutating func warn(_ warning: RowWarning, of row: PlanRow) {
        let place =
            warnings.firstIndex { $0.rule == warning.rule && $0.column == warning.column } ?? warnings.count
        if place == warnings.count { warnings.append(warning) }
        // A rule may find more than one problem in a row.
        if warnings[place].last != row.number { warnings[place].add(row) }
    }
}

/// A row that can be written.
public struct CheckedRow: Sendable {
    /// The content and the settings for the row's tag.
    public let order: RowOrder
    /// The row's message for a tag with the UID 04 00 00 00 00 00 00.
    public let message: OrderedMessage
    /// The length of the message in bytes.
    public let messageLength: Int
    /// Whether a cell that goes onto the tag seems to be damaged.
    let isDamaged: Bool
}

/// A problem that phones will have with some rows, or a fault that the plan's author probably overlooked.
public struct RowWarning: Hashable, Sendable {
    /// The rule's name, in lower camel case.
    public let rule: String
    /// The column with the problem, or nil if the problem is in the message as a whole.
    let column: String?
    /// The severity: a warning, or an error that was permitted.
    public let severity: Severity
    /// The problem in the first of these rows, as a full sentence.
    ///
    /// It may quote the row's message.
    public let message: String
    /// Whether a spreadsheet or another program damaged the cells.
    public let isOfDamage: Bool
    /// The numbers of the rows with this problem.
    public private(set) var rows = RowNumbers()
    /// The lines of the file on which these rows begin.
    public private(set) var lines = RowNumbers()
    private(set) var last = 0

    init(_ finding: Finding) {
        (rule, column, severity, message) = (finding.rule, nil, finding.severity, finding.message)
        isOfDamage = false
    }

    /// - Parameter column: the name of the column with the space or line break in the first of the rows.
    init(strayBlankIn column: String) {
        self.init(
            rule: "strayBlank", column: column,
            message: "The cell in column \(column) begins or ends with a space, or contains a line break. "
                + "This becomes part of the URI, as %20 or %0A.")
    }

    /// Creates a warning that does not come from a rule of `ndef check`.
    init(rule: String, column: String, message: String, isOfDamage: Bool = false) {
        (self.rule, self.column, severity, self.message) = (rule, column, .warning, message)
        self.isOfDamage = isOfDamage
    }

    mutating func add(_ row: PlanRow) {
        rows.add(row.number)
        lines.add(row.line)
        last = row.number
    }

    /// The rows, their lines, and the problem: `Rows 1 to 20 (lines 2 to 21): iPhones ignore Wi-Fi records`.
    ///
    /// The lines are left out if their numbers equal those of the rows, which is the case in a range and in JSON Lines.
    public var text: String {
        let places = lines == rows ? "" : " (\(lines.text(of: "line")))"
        return "\(rows.capitalizedText)\(places): \(message)"
    }
}

/// The estimated number of exchanges for writing a row to a Type 2 Tag and locking the tag.
///
/// The duration is estimated from this number.
public struct ExchangeEstimate: Hashable, Sendable {
    /// The number of READ commands, 16 bytes each.
    public private(set) var reads: Int
    /// The number of WRITE commands, 4 bytes each.
    public private(set) var writes: Int
    /// The number of WRITE commands that a locked block refuses.
    public private(set) var refusedWrites: Int

    static let none = ExchangeEstimate(reads: 0, writes: 0, refusedWrites: 0)

    private init(reads: Int, writes: Int, refusedWrites: Int) {
        self.reads = reads
        self.writes = writes
        self.refusedWrites = refusedWrites
    }

    /// The exchanges of a lock: the capability container and the lock bits are written and read back, a write to each
    /// group of blocks is tried three times, and the tag is read again.
    ///
    /// This is the lock of an NTAG213. An NTAG215 has 21 groups, and an NTAG216 has 27.
    private static let lock = ExchangeEstimate(reads: 12, writes: 5, refusedWrites: 3 * 25)

    /// Estimates the exchanges for a message, and for locking the tag if `locks` is set.
    ///
    /// The TLV and the terminator are written once, the length field is cleared first and set last, and everything is
    /// read back twice.
    public init(messageLength: Int, locks: Bool = false) {
        // T, L (1 byte, or 3 bytes from 255 on) and the Terminator TLV — NFC Forum Type 2 Tag, TLV blocks.
        let length = messageLength + (messageLength < 0xFF ? 2 : 4) + 1
        let pages = (length + 3) / 4
        writes = pages + 2
        // Reading the UID, the capability container and the previous content takes about four more READ commands.
        reads = 2 * ((pages + 3) / 4) + 4
        refusedWrites = 0
        if locks { self += Self.lock }
    }

    static func += (total: inout ExchangeEstimate, more: ExchangeEstimate) {
        total.reads += more.reads
        total.writes += more.writes
        total.refusedWrites += more.refusedWrites
    }
}
