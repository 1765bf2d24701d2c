// The format of the file of `scan --output` — Docs/CommandLine.md, scan

import ArgumentParser
import Testing

@testable import nfctool

@Suite struct ScanFileFormatTests {
    @Test(
        arguments: [
            ("tags.csv", [], true), ("tags.jsonl", [], false), ("tags.json", [], false), ("tags.txt", [], nil),
            ("tags.txt", ["--format", "csv"], true), ("tags.txt", ["--json"], false), ("tags.csv", ["--json"], true),
        ] as [(String, [String], Bool?)])
    func theNameOfTheFileOrElseTheOutputDecides(name: String, options: [String], isTable: Bool?) throws {
        let isJSON = options == ["--json"]
        let feed = try FeedOptions.parse(["--output", name] + (isJSON ? [] : options))
        let output = try OutputOptions.parse(isJSON ? options : [])
        #expect(feed.isTable(output) == isTable)
        if isTable == nil {
            #expect(throws: ValidationError.self) { try feed.check(output) }
        } else {
            #expect(throws: Never.self) { try feed.check(output) }
        }
    }
}
