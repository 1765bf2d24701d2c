// A URL that each NTAG 424 DNA of a plan signs, and the keys it gets — Docs/CommandLine.md, provision

import Composing
public import SecureDynamicMessaging

/// What makes the tags of a plan sign their URLs.
public struct DynamicRecipe: Hashable, Sendable {
    /// The URL, with placeholders of the plan and of `SDMTemplate`; the tag fills the latter in, `{uid}` included.
    public let template: String
    /// The keys of the tags, or those from which they are derived.
    public let keys: SDMKeyFile
    /// The version of the keys, readable without a key.
    public let keyVersion: UInt8

    /// The options that say so, as a journal keeps them.
    static let (option, versionOption) = ("--sdm", "--key-version")

    /// Describes what tags get.
    public init(template: String, keys: SDMKeyFile, keyVersion: UInt8 = 1) {
        (self.template, self.keys, self.keyVersion) = (template, keys, keyVersion)
    }

    /// What it is, a line each, without the keys.
    var lines: [String] { ["\(Self.option) \(template)", "\(Self.versionOption) \(keyVersion)"] }
}

extension PlanIdentity {
    /// The version of the keys that the tags get; nil for a plan whose tags get none.
    public var keyVersion: Int? { value(of: DynamicRecipe.versionOption).flatMap { Int($0) } }

    /// The template of the URL that the tags sign; nil for a plan of other tags.
    var dynamicTemplate: String? { value(of: DynamicRecipe.option) }

    private func value(of option: String) -> String? {
        recipe.first { $0.hasPrefix(option + " ") }.map { String($0.dropFirst(option.utf8.count + 1)) }
    }
}

extension Template {
    /// What the tool and the tag fill in, as it stands between braces.
    static let dynamicPlaceholders = ["n", "n:05", "random:32", "uid", "counter", "picc", "mac", "signed"]

    /// What the tag fills in, as it stands between braces.
    static func isDynamic(_ placeholder: String) -> Bool {
        ["uid", "counter", "picc", "mac", "signed"].contains(placeholder) || placeholder.hasPrefix("file:")
    }

    /// Requires that tags know this template, whatever rows say.
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

    /// The URL of a row as the tag gets it.
    func layout(for row: PlanRow) throws(PlanError) -> SDMLayout {
        for piece in pieces {
            // Braces in a value would be taken for places that the tag fills in.
            if case .column(let column, isRaw: true) = piece,
                row[column]?.contains(where: { "{}".contains($0) }) == true
            {
                throw PlanError(line: row.line, column: column, .badDynamic("A URL that a tag signs has no braces."))
            }
        }
        let text = try option(for: row, uid: [], filler: 0).value
        do throws(SDMError) { return try SDMLayout(SDMTemplate(text)) } catch {
            throw PlanError(line: row.line, .badDynamic(error.description))
        }
    }
}
