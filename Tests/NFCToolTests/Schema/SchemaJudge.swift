// Judges JSON by the schemas in Docs/Schema, with the validator that users are given there — JSON Schema 2020-12

import Foundation

/// `validate.py` with Python's jsonschema, which Scripts/judges installs.
enum SchemaJudge {
    /// The folder of the schemas.
    static let folder = URL(filePath: #filePath).appending(path: "../../../../Docs/Schema").standardized

    private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

    /// What is wrong with lines, each a name in `commands.json`, a tab and an object; empty when all of them fit.
    ///
    /// - Parameter listsUnused: whether schemas that no line fitted are listed, too.
    static func judge(_ lines: [String], listsUnused: Bool = false) async throws -> Outcome {
        try await Tool.withFolder { folder in
            try lines.joined(separator: "\n").write(toFile: folder + "/lines", atomically: true, encoding: .utf8)
            let option = listsUnused ? " --unused" : ""
            return try await Tool.shell(
                "'\(python)' '\(Self.folder.path)/validate.py'\(option) < lines", in: folder)
        }
    }

    /// The names that `commands.json` defines.
    static var names: Set<String> {
        get throws {
            let file = try Data(contentsOf: folder.appending(path: "commands.json"))
            let schema = try JSONSerialization.jsonObject(with: file) as? [String: Any]
            return Set((schema?["$defs"] as? [String: Any] ?? [:]).keys)
        }
    }
}
