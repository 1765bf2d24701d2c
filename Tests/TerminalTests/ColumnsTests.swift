// Text that is measured and wrapped by terminal columns

import Testing

import Terminal

@Suite struct ColumnsTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한", 2), ("ｱ", 1), ("Ａ", 2), ("👋", 2), ("❤️", 2),
        ("🇩🇪", 2), ("█│·…", 4),
    ])
    func columnsAreThoseOfATerminal(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
    }

    @Test(arguments: [
        ("abcdef", 4, "abc…"), ("abcd", 4, "abcd"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("", 3, ""),
    ])
    func cutTextFitsAndEndsInAnEllipsis(_ text: String, _ width: Int, _ expected: String) {
        #expect(text.cut(to: width) == expected)
    }

    @Test(arguments: [
        ("one two three", 8, ["one two", "three"]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a brown foxes", 6, ["a", "brown", "foxes"]), ("日本語", 3, ["日", "本", "語"]), ("", 5, [""]),
        ("a b", 1, ["a", "b"]), ("日", 1, ["…"]),
    ])
    func wrappedTextBreaksAtBlanksWhereItCan(_ text: String, _ width: Int, _ expected: [String]) {
        #expect(text.wrapped(to: width) == expected)
    }

    @Test func wrappedTextEndsAfterItsLastLine() {
        #expect("abcdefghijkl".wrapped(to: 4, limit: 2) == ["abcd", "efg…"])
        #expect("abcdefgh".wrapped(to: 4, limit: 2) == ["abcd", "efgh"])
    }

    @Test func onlyTheFirstLineUsesTheColumnsOfTheIndent() {
        #expect("one two three four".wrapped(to: 9, indent: 3) == ["one two", "three", "four"])
        #expect("ab cd ef".wrapped(to: 5, indent: 9) == ["ab cd", "e", "f"])
    }

    @Test(arguments: [
        (
            "nfctool: The tag left.\n  Hold it still on the reader.\n",
            "nfctool: The\ntag left.\n  Hold it\n  still on\n  the\n  reader.\n"
        ),
        // Text to copy: a word, and a command on its own line.
        ("See https://example.com/a/long/one now", "See\nhttps://example.com/a/long/one\nnow"),
        ("nfctool recover   finishes the write", "nfctool recover   finishes the write"),
        (" To bring it back, run  nfctool restore a.json", " To bring it\n back, run\n   nfctool restore a.json"),
        ("a brown fox  b  c", "a brown fox\n  b  c"),
        // A sentence that goes on after a command, and several commands in a sentence.
        ("Give it as  --pin A , or in the environment", "Give it as\n  --pin A ,\nor in the\nenvironment"),
        ("Use  usb:1  or  tty ; see below", "Use  usb:1\n  or  tty ;\nsee below"),
        ("run  nfctool write --text 'a , b'", "run\n  nfctool write --text 'a , b'"),
        ("short", "short"), ("", ""),
    ])
    func textForPeopleIsBrokenAtBlanksAlone(_ text: String, _ expected: String) {
        #expect(text.fitted(to: 12) == expected)
    }

    @Test func theRowsOfAListAreBrokenAtBlanksAndIndented() {
        #expect("04A1B2  NTAG215  old 0 bytes\nshort".fittedRows(to: 16) == "04A1B2  NTAG215 \n    old 0 bytes\nshort")
    }

    @Test func everyWrappedLineFits() {
        let text = "Ａ mixed 日本語 text with 👩‍👩‍👧 emoji, and averyverylongwordindeed"
        for width in 1...30 {
            for line in text.wrapped(to: width, limit: 5) { #expect(line.columns <= width, "\(width): \(line)") }
        }
    }
}
