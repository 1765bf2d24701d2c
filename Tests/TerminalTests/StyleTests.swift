// Styles by the destination of the output

import Testing

import Terminal

extension Style {
    static func terminal(_ columns: Int = 80) -> Style {
        Style(isTerminal: true, environment: ["TERM": "xterm"], columns: columns)
    }
}

extension String {
    /// The text without SGR sequences.
    var withoutColours: String { replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}

@Suite struct StyleTests {
    @Test(arguments: [
        (true, ["TERM": "xterm"], true), (true, [:], true), (true, ["NO_COLOR": "1"], false),
        (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false), (false, ["TERM": "xterm"], false),
    ])
    func decorationsAreForTerminalsThatWantThem(_ isTerminal: Bool, _ environment: [String: String], _ expected: Bool) {
        let style = Style(isTerminal: isTerminal, environment: environment, columns: nil)
        #expect(style.isDecorated == expected)
        #expect(style.paint("text", .bad).contains("\u{1B}") == expected)
        #expect(style.paint("text", .bad).withoutColours == "text")
    }

    @Test(arguments: [
        (Optional(100), [:], 100), (nil, ["COLUMNS": "60"], 60), (100, ["COLUMNS": "60"], 100), (0, [:], 80),
        (nil, [:], 80),
        (nil, ["COLUMNS": "many"], 80), (3, [:], 20), (.max, [:], 500), (-5, ["COLUMNS": "-1"], 80),
    ])
    func widthIsTheTerminalsThenCOLUMNSThenEighty(_ columns: Int?, _ environment: [String: String], _ expected: Int) {
        #expect(Style(isTerminal: true, environment: environment, columns: columns).width == expected)
    }

    @Test(
        arguments: [
            (Ink.heading, [96, 1]), (.strong, [1]), (.faint, [90]), (.link, [36, 4]), (.good, [32]), (.warning, [33]),
            (.bad, [31]), (Ink(.magenta, .underline), [35, 4]),
        ] as [(Ink, [UInt8])])
    func everyMeaningHasItsColour(_ ink: Ink, _ codes: [UInt8]) {
        #expect(ink.codes == codes)
    }

    @Test func textWithoutInkStaysAsItIs() {
        #expect(Style.terminal().paint("text", nil) == "text")
    }
}
