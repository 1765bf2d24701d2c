// Which words count as typing errors, and which as other words

import Testing

@testable import Composing

@Suite struct SpellingTests {
    private static let known = ["read", "write", "scan", "provision", "status"]

    @Test(arguments: [
        // One letter missing, added or wrong, two letters swapped, or an error in every third letter.
        ("wrte", "write"), ("statuss", "status"), ("scar", "scan"), ("raed", "read"), ("prvoisoin", "provision"),
        ("STATUS", "status"), ("réad", nil), ("list", nil), ("scanner", nil), ("", nil),
    ])
    func aNearNameIsMeant(word: String, meant: String?) {
        #expect(Spelling(word).nearest(in: Self.known) == meant)
    }

    @Test func aLongNameIsNobodysSlip() {
        let long = String(repeating: "a", count: 100_000)
        #expect(Spelling(long).nearest(in: [long + "a"]) == nil)
        #expect(Spelling("a").nearest(in: [long]) == nil)
    }
}
