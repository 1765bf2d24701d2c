// The content and the settings that one row of the plan gives to its tag — Docs/CommandLine.md, provision

public import Composing
public import NDEF
import SecureDynamicMessaging
import TagTypes

/// The content and the settings that one row specifies for its tag.
public struct RowOrder: Sendable {
    enum Records: Sendable {
        case templates([Template], MirrorContent?)
        case options([RecordOption])
        case dynamic(Template, DynamicRecipe)
    }

    /// The row.
    public let row: PlanRow
    /// The settings for the tag, apart from its message.
    public let settings: RowSettings
    private let records: Records

    init(row: PlanRow, settings: RowSettings, records: Records) {
        self.row = row
        self.settings = settings
        self.records = records
    }

    /// Whether the row has its own password, which its tag gets if the tag is protected.
    var hasOwnPassword: Bool { !(row[RowSettings.Column.password.rawValue] ?? "").isEmpty }

    /// Whether the row's tag gets the password that is given for the whole run.
    var takesGeneralPassword: Bool { settings.protect && !hasOwnPassword }

    var isOfUID: Bool {
        if case .dynamic(let template, _) = records { return template.isOfUID }
        guard case .templates(let templates, let mirror) = records else { return false }
        return mirror == .uid || mirror == .uidAndCounter || templates.contains(where: \.isOfUID)
    }

    var hasTokens: Bool {
        switch records {
        case .options: false
        case .templates(let templates, _): templates.contains { !$0.tokens.isEmpty }
        case .dynamic(let template, _): !template.tokens.isEmpty
        }
    }

    /// The columns whose cells go onto the tag.
    var writtenColumns: [String] {
        switch records {
        case .options: row.fields.map(\.name).filter { RecordOption.Name(rawValue: $0) != nil }
        case .templates(let templates, _): templates.flatMap(\.columns)
        case .dynamic(let template, _): template.columns
        }
    }

    /// The columns that are used in a URI and whose cells in this row contain a line break, or white space at either
    /// end.
    var strayBlanks: [String] {
        switch records {
        case .options: []
        case .templates(let templates, _): templates.flatMap { $0.strayBlanks(in: row) }
        case .dynamic(let template, _): template.strayBlanks(in: row)
        }
    }

    /// Returns the layout and the settings of the URL that the tag signs, or nil for other messages.
    func dynamic() throws(PlanError) -> (layout: SDMLayout, recipe: DynamicRecipe)? {
        guard case .dynamic(let template, let recipe) = records else { return nil }
        return (try template.layout(for: row), recipe)
    }

    /// Returns the message for the tag with this UID.
    ///
    /// Reads the files that templates name.
    public func message(uid: [UInt8]) throws(PlanError) -> OrderedMessage {
        switch records {
        case .options(let options):
            return OrderedMessage(message: try message(of: options), mirror: nil)
        case .dynamic(let template, _):
            let record = RecordOption(name: .uri, value: try template.layout(for: row).address)
            return OrderedMessage(message: try message(of: [record]), mirror: nil)
        case .templates(let templates, let mirror):
            let zeros = try options(templates, uid: uid, filler: UInt8(ascii: "0"))
            guard let mirror else { return OrderedMessage(message: try message(of: zeros), mirror: nil) }
            let ones = try options(templates, uid: uid, filler: UInt8(ascii: "1"))
            do {
                let records = try MirroredRecords(
                    zeros: zeros, ones: ones, content: mirror, language: settings.language)
                return OrderedMessage(
                    message: NDEFMessage(records: records.records), mirror: try records.placement(after: []))
            } catch {
                throw PlanError(line: row.line, .record(error as? RecordOptionError ?? .orderLost))
            }
        }
    }

    private func options(_ templates: [Template], uid: [UInt8], filler: UInt8) throws(PlanError) -> [RecordOption] {
        var options: [RecordOption] = []
        for template in templates { options.append(try template.option(for: row, uid: uid, filler: filler)) }
        return options
    }

    private func message(of options: [RecordOption]) throws(PlanError) -> NDEFMessage {
        do throws(RecordOptionError) {
            return try RecordComposer.message(of: options, language: settings.language)
        } catch {
            throw PlanError(line: row.line, column: column(of: error), .record(error))
        }
    }

    /// Returns the column that caused the error.
    ///
    /// If columns are named like options, this is the column named like the option.
    private func column(of error: RecordOptionError) -> String? {
        let name: RecordOption.Name? =
            switch error {
            case .badForm(let name, _, _), .badValue(let name, _): name
            case .titleWithoutPoster, .secondTitle: .title
            default: nil
            }
        switch records {
        case .options: return name?.rawValue
        case .dynamic(let template, _): return template.columns.count == 1 ? template.columns[0] : nil
        case .templates(let templates, _):
            let columns = templates.filter { $0.skeleton.name == name }.flatMap(\.columns)
            return columns.count == 1 ? columns[0] : nil
        }
    }
}

/// A message, and the place for the content that the chip mirrors into it.
public struct OrderedMessage: Sendable {
    /// The message, with `0` in the places that the chip fills in.
    public let message: NDEFMessage
    /// The content that the chip mirrors, and its place, or nil if the chip mirrors nothing.
    public let mirror: MirrorPlacement?
}
