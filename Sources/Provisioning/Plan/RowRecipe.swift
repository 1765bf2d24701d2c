// How a row of the plan becomes the content of its tag — Docs/CommandLine.md, provision

public import Composing
import SecureDynamicMessaging
public import TagTypes

/// The recipe by which rows become messages: the templates on the command line, or columns named like record options.
///
/// A cell is always data. In a column named like an option, a cell may begin with `hex:` if that option accepts DATA,
/// but `@FILE` in a cell is plain text. With a template, both forms work only if the template itself contains them
/// (`--mime text/plain=@{file}`).
public struct RowRecipe: Sendable {
    private let templates: [Template]
    /// The mirror content that the templates request, or nil if there is none.
    private let mirror: MirrorContent?
    private let settings: RowSettings
    /// The settings for tags that sign their URL, or nil for other messages.
    ///
    /// If they are set, the URL's template is the only template.
    public let dynamic: DynamicRecipe?
    /// The lines for ``PlanIdentity``.
    ///
    /// They contain no password.
    public let lines: [String]

    /// Creates a recipe from the command line's record options and settings.
    ///
    /// Without options, the columns define the records.
    ///
    /// - Parameters:
    ///   - options: the record options, in order.
    ///   - settings: the settings for the tag, apart from its message.
    ///   - dynamic: the settings for a URL that tags sign, instead of record options, or nil.
    /// - Throws: ``PlanError``: `badDynamic` for a dynamic URL together with record options; `badTemplate` or
    ///   `unknownColumn` for an invalid placeholder; `record` for values that a chip cannot mirror.
    public init(
        options: [RecordOption], settings: RowSettings, dynamic: DynamicRecipe? = nil
    ) throws(PlanError) {
        var templates: [Template] = []
        if let dynamic {
            guard options.isEmpty else {
                throw PlanError(.badDynamic("It replaces --uri and all other records. Leave them out."))
            }
            templates = [try Self.template(of: dynamic)]
        }
        for option in options { templates.append(try Template(option.value, of: option.name)) }
        do throws(RecordOptionError) {
            mirror = try MirrorPlaceholder.content(of: templates.map(\.skeleton))
        } catch {
            throw PlanError(.record(error))
        }
        self.templates = templates
        self.settings = settings
        self.dynamic = dynamic
        lines = options.map { "\($0.name.option) \($0.value)" } + (dynamic?.lines ?? []) + settings.lines
    }

    private static func template(of dynamic: DynamicRecipe) throws(PlanError) -> Template {
        do throws(PlanError) {
            let template = try Template(dynamic.template, of: .uri, isDynamic: true)
            try template.requireDynamicTemplate()
            try template.checkPlaces()
            return template
        } catch {
            guard case .badTemplate(_, let reason) = error.reason else { throw error }
            throw PlanError(.badDynamic(reason))
        }
    }

    /// The password for rows without their own password, or nil if there is none.
    public var password: Type2Credential? { settings.password }

    /// The templates that read a local file for each row, such as `--mime text/plain=@notes.txt`.
    public var fileTemplates: [String] {
        zip(lines, templates).filter(\.1.isOfFile).map(\.0)
    }

    var isOfColumns: Bool { templates.isEmpty }

    /// Checks that a plan has the columns that the templates name, or a column that makes a record.
    ///
    /// - Parameter columns: the columns, or nil if each row has its own. In that case, only the positions of
    ///   placeholders are checked.
    /// - Throws: ``PlanError``: `otherCase` for a name that differs from a known one only in case or white space;
    ///   `nothingToWrite`, `noHeader` or `otherSeparator` if no column makes a record; `joinedColumns` or
    ///   `unknownColumn` for a placeholder without a column; `badTemplate` for one in the wrong place. With a dynamic
    ///   URL, `badDynamic` replaces `unknownColumn` and `badTemplate`.
    public func check(columns: [String]?) throws(PlanError) {
        if let columns { try check(known: columns) }
        for template in templates {
            do throws(PlanError) {
                try template.checkPlaces()
            } catch {
                guard dynamic != nil, case .badTemplate(_, let reason) = error.reason else { throw error }
                throw PlanError(.badDynamic(reason))
            }
        }
    }

    private func check(known columns: [String]) throws(PlanError) {
        for column in columns {
            if let meant = nearName(of: column) { throw PlanError(column: column, .otherCase(meant)) }
        }
        if isOfColumns, !columns.contains(where: { Self.recordOption($0) != nil }) {
            switch HeaderDoubt(columns) {
            case .value(let value): throw PlanError(.noHeader(value: value))
            case .separator(let sign): throw PlanError(.otherSeparator(header: columns[0], separator: sign))
            case nil: break
            }
            throw PlanError(.nothingToWrite(unused(of: columns).first { $0.meant.flatMap(Self.recordOption) != nil }))
        }
        for template in templates {
            guard let missing = template.columns.first(where: { !columns.contains($0) }) else { continue }
            if let (column, sign) = HeaderDoubt.column(containing: missing, among: columns) {
                throw PlanError(.joinedColumns(placeholder: missing, header: column, separator: sign))
            }
            if dynamic != nil {
                let advice = PlanError.Reason.advice(for: missing, among: columns + Template.dynamicPlaceholders)
                throw PlanError(.badDynamic("{\(missing)} is not a column. \(advice)"))
            }
            throw PlanError(
                .unknownColumn(
                    template.skeleton.name, placeholder: template.placeholder(of: missing), known: columns))
        }
    }

    /// Returns an effective column name from which this name differs only in case or surrounding white space, or nil if
    /// there is none.
    ///
    /// Without this check, a column named `Lock` would have no effect, and the user would only notice later that the
    /// tags are not locked.
    func nearName(of column: String) -> String? {
        let name = String(
            String.UnicodeScalarView(
                column.unicodeScalars.drop(while: \.isBlank).reversed().drop(while: \.isBlank).reversed())
        ).lowercased()
        return name != column && effectiveColumns.contains(name) ? name : nil
    }

    /// The different random tokens that each row gets.
    var tokens: [RowToken] {
        templates.flatMap(\.tokens).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether messages contain the UIDs of their tags.
    var isOfUID: Bool { templates.contains(where: \.isOfUID) }

    /// Whether a row and a UID always make the same message: it has no random digits, and the tag fills in nothing.
    var isReproducible: Bool { tokens.isEmpty && mirror == nil && dynamic == nil }

    var usesNumber: Bool {
        templates.contains { $0.pieces.contains { if case .number = $0 { true } else { false } } }
    }

    var usedColumns: [String] { templates.flatMap(\.columns) }

    /// The names of columns that have an effect without a template.
    var effectiveColumns: [String] {
        RowSettings.Column.allCases.map(\.rawValue) + (isOfColumns ? RecordOption.Name.allCases.map(\.rawValue) : [])
    }

    /// Checks that every cell that a template names has a value.
    ///
    /// If a cell were empty, a tag would get an incomplete address.
    func requireValues(in row: PlanRow) throws(PlanError) {
        guard row.fields.isEmpty || row.fields.contains(where: { !$0.value.isEmpty }) else {
            throw PlanError(line: row.line, .emptyRow)
        }
        for template in templates {
            guard let column = template.columns.first(where: { row[$0]?.isEmpty == true }) else { continue }
            if dynamic != nil {
                let text = "The cell is empty, and the URL needs it. Fill it in, or remove the line."
                throw PlanError(line: row.line, column: column, .badDynamic(text))
            }
            throw PlanError(line: row.line, column: column, .emptyCell(template.name))
        }
    }

    /// Returns the content and the settings for a row's tag.
    public func order(for row: PlanRow) throws(PlanError) -> RowOrder {
        var settings = settings
        for field in row.fields {
            guard let column = RowSettings.Column(rawValue: field.name) else { continue }
            try settings.set(column, to: field.value, line: row.line)
        }
        guard !settings.protect || settings.password != nil else { throw PlanError(line: row.line, .noPassword) }
        guard !settings.protect || settings.password?.isDelivered != true else {
            throw PlanError(line: row.line, .deliveredPassword)
        }
        if let dynamic, let template = templates.first {
            guard settings.seal.isNone else {
                let text = "A tag that signs its URL cannot have a lock or a password: its keys protect it."
                throw PlanError(line: row.line, .badDynamic(text))
            }
            return RowOrder(row: row, settings: settings, records: .dynamic(template, dynamic))
        }
        guard isOfColumns else {
            return RowOrder(row: row, settings: settings, records: .templates(templates, mirror))
        }
        var options: [RecordOption] = []
        for field in row.fields where !field.value.isEmpty {
            guard let name = Self.recordOption(field.name) else { continue }
            if name == .empty {
                guard let answer = Answer(field.value) else {
                    throw PlanError(
                        line: row.line, column: field.name, .badSetting(value: field.value, expected: Answer.accepted))
                }
                if answer.isYes { options.append(RecordOption(name: .empty, value: "")) }
            } else {
                options.append(RecordOption(name: name, value: field.value, data: .hexText))
            }
        }
        guard !options.isEmpty else { throw PlanError(line: row.line, .noRecord) }
        return RowOrder(row: row, settings: settings, records: .options(options))
    }

    private static func recordOption(_ column: String) -> RecordOption.Name? { RecordOption.Name(rawValue: column) }
}

extension Unicode.Scalar {
    /// Whether the character cannot be seen at the beginning or end of a name.
    fileprivate var isBlank: Bool { properties.isWhitespace || isInvisible }
}

extension Template {
    /// Returns the placeholder of a column as it is written in the template, without braces.
    fileprivate func placeholder(of column: String) -> String {
        column + (pieces.contains(.column(column, isRaw: true)) ? Self.raw : "")
    }
}
