// The order of record options, whatever their values look like

import Chance
import ArgumentParser
import Composing
import NDEF
import Testing

@testable import nfctool

@Suite struct RecordOrderTests {
    /// Command lines, and their options.
    static let rows: [(words: [String], options: [String])] = [
        (["--uri", "a:b", "--text", "T", "--uri", "c:d"], ["uri a:b", "text T", "uri c:d"]),
        (["--empty", "--text", "T", "--empty"], ["empty ", "text T", "empty "]),
        (["--text", "--uri", "--uri", "--text"], ["text --uri", "uri --text"]),
        (["--text", "--empty", "--empty", "--text=--empty"], ["text --empty", "empty ", "text --empty"]),
        (["--text", "--lang", "--lang", "de", "--text", "-v"], ["text --lang", "text -v"]),
        (["--text", "", "--text", "=", "--text==", "--text=a=b"], ["text ", "text =", "text =", "text a=b"]),
        (["--geo", "-33.9,151.2", "--tel", "-"], ["geo -33.9,151.2", "tel -"]),
        (["--smart-poster", "a:b", "--title", "T"], ["smart-poster a:b", "title T"]),
        ([], []),
    ]

    @Test(arguments: rows)
    func optionsKeepTheOrderOfTheCommandLine(_ words: [String], _ expected: [String]) throws {
        let options = try RecordOptions.parse(words).inOrder(arguments: ["nfctool", "write"] + words)
        #expect(options.map { "\($0.name.rawValue) \($0.value)" } == expected)
    }

    @Test func randomCommandLinesKeepTheirOrder() throws {
        var random = SplitMix(state: 0x6E66_6374_6F6F_6C31)
        let values =
            RecordOption.Name.allCases.flatMap { [$0.option, $0.option + "=x"] } + ["", "=", "x", "--lang", "-t", "é"]
        for _ in 0..<300 {
            let options = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                let name = RecordOption.Name.allCases.randomElement(using: &random) ?? .text
                return RecordOption(name: name, value: name == .empty ? "" : values.randomElement(using: &random) ?? "")
            }
            let words = options.flatMap { option in
                if option.name == .empty { return [option.name.option] }
                let isAttached = Bool.random(using: &random) && !option.value.isEmpty
                return isAttached ? ["\(option.name.option)=\(option.value)"] : [option.name.option, option.value]
            }
            #expect(try RecordOptions.parse(words).inOrder(arguments: words) == options)
        }
    }

    @Test func otherWordsThanWereParsedAreRefused() throws {
        let options = try RecordOptions.parse(["--text", "a", "--empty"])
        for words in [["--text", "b", "--empty"], ["--text", "a"], ["--text", "a", "--empty", "--uri", "c:d"]] {
            #expect(throws: RecordOptionError.orderLost) { try options.inOrder(arguments: words) }
        }
        #expect(RecordOptionError.orderLost.name == .internal)
    }

    /// An empty shell variable must not turn the next option into text.
    @Test func nothingAfterAnEqualsSignIsAUsageError() throws {
        let words = ["--text=", "--empty"]
        let options = try RecordOptions.parse(words)
        let error = try #require(throws: RecordOptionError.self) { try options.inOrder(arguments: words) }
        #expect(error.message == "--text= has no value. For an empty record: --empty")
        #expect(error.name == .usage)
    }

    @Test(arguments: [["--text"], ["--uri", "a:b", "--text"], ["--empty=x"], ["--lang", "--text", "a"]])
    func missingValuesAreUsageErrors(_ words: [String]) {
        #expect(throws: (any Error).self) { try RecordOptions.parse(words) }
    }
}
