// The URL that each NTAG 424 DNA tag of a plan signs, and the tag's keys — Docs/CommandLine.md, provision

import Composing
public import SecureDynamicMessaging

/// The settings with which the tags of a plan sign their URLs.
public struct DynamicRecipe: Hashable, Sendable {
    /// The URL, with the plan's placeholders and those of `SDMTemplate`.
    ///
    /// The tag fills in those of `SDMTemplate`, including `{uid}`.
    public let template: String
    /// The keys of the tags, or the keys from which they are derived.
    public let keys: SDMKeyFile
    /// The version of the keys, which can be read without a key.
    public let keyVersion: UInt8

    /// The options for the template and the key version, as stored in a journal.
    static let (option, versionOption) = ("--sdm", "--key-version")

    /// Creates the settings.
    public init(template: String, keys: SDMKeyFile, keyVersion: UInt8 = 1) {
        (self.template, self.keys, self.keyVersion) = (template, keys, keyVersion)
    }

    /// The lines of the recipe, without the keys.
    var lines: [String] { ["\(Self.option) \(template)", "\(Self.versionOption) \(keyVersion)"] }
}

extension PlanIdentity {
    /// The version of the tags' keys, or nil for a plan whose tags get no keys.
    public var keyVersion: Int? { value(of: DynamicRecipe.versionOption).flatMap { Int($0) } }

    /// The template of the URL that the tags sign, or nil if the tags of the plan sign no URL.
    var dynamicTemplate: String? { value(of: DynamicRecipe.option) }

    private func value(of option: String) -> String? {
        recipe.first { $0.hasPrefix(option + " ") }.map { String($0.dropFirst(option.utf8.count + 1)) }
    }
}

extension Template {
    /// The placeholders that the tool or the tag fills in, given without braces.
    static let dynamicPlaceholders = ["n", "n:05", "random:32", "uid", "counter", "picc", "mac", "signed"]

    /// Whether the tag fills in this placeholder, given without braces.
    static func isDynamic(_ placeholder: String) -> Bool {
        ["uid", "counter", "picc", "mac", "signed"].contains(placeholder) || placeholder.hasPrefix("file:")
    }

    /// Checks that tags can use this template, regardless of the content of the rows.
    func requireDynamicTemplate() throws(PlanError) {
        let text = pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .dynamic(let placeholder): "{\(placeholder)}"
            case .column, .uid, .number, .random, .mirror: "x"
            }
        }
        do throws(SDMError) { _ = try SDMLayout(SDMTemplate(text.joined())) } catch {
            throw PlanError(.badDynamic(error.description))
        }
    }

    func layout(for row: PlanRow) throws(PlanError) -> SDMLayout {
        for piece in pieces {
            // Braces in a value would be mistaken for placeholders that the tag fills in.
            if case .column(let column, isRaw: true) = piece,
                row[column]?.contains(where: { "{}".contains($0) }) == true
            {
                throw PlanError(
                    line: row.line, column: column, .badDynamic("A URL that a tag signs cannot contain braces."))
            }
        }
        let text = try option(for: row, uid: [], filler: 0).value
        do throws(SDMError) { return try SDMLayout(SDMTemplate(text)) } catch {
            throw PlanError(line: row.line, .badDynamic(error.description))
        }
    }
}
