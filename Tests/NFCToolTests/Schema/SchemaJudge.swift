// Checks JSON against the schemas in Docs/Schema, with the validator that users find there — JSON Schema 2020-12

import Foundation

/// `validate.py` with Python's jsonschema, which Scripts/judges installs.
enum SchemaJudge {
    static let folder = URL(filePath: #filePath).appending(path: "../../../../Docs/Schema").standardized

    private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

    /// Returns the errors in lines, each of which is a name in `commands.json`, a tab and an object.
    ///
    /// Empty if all lines match. `listsUnused` adds the schemas that no line matched.
    static func judge(_ lines: [String], listsUnused: Bool = false) async throws -> Outcome {
        try await Tool.withFolder { folder in
            try lines.joined(separator: "\n").write(toFile: folder + "/lines", atomically: true, encoding: .utf8)
            let option = listsUnused ? " --unused" : ""
            return try await Tool.shell(
                "'\(python)' '\(Self.folder.path)/validate.py'\(option) < lines", in: folder)
        }
    }

    /// The names that `commands.json` defines.
    static var names: Set<String> { get throws { Set(try definitions(in: "commands.json").keys) } }

    /// Returns the words that a definition in `common.json` allows.
    static func words(_ name: String) throws -> Set<String> {
        let definition = try definitions(in: "common.json")[name] as? [String: Any]
        return Set(definition?["enum"] as? [String] ?? [])
    }

    private static func definitions(in file: String) throws -> [String: Any] {
        let schema = try Outcome.object(String(contentsOf: folder.appending(path: file), encoding: .utf8))
        return schema["$defs"] as? [String: Any] ?? [:]
    }
}
