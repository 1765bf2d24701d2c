// Text is stored in a server's tables and read back unchanged

import Provisioning
import Testing

@testable import PostgreSQLJournal

@Suite struct StoredTextTests {
    @Test(arguments: ["", "a", "\\", "\0", "\\0", "a\\\\0\0b", "\\\u{301}", "\0\u{301}\\"])
    func aTextComesBackAsItWas(text: String) {
        let stored = StoredText.stored(text)
        #expect(!stored.utf8.contains(0))
        #expect(StoredText.read(stored).utf8.elementsEqual(text.utf8))
    }

    /// COPY interprets the byte after a backslash, even if that byte starts a combining mark.
    @Test(arguments: ["\\", "\\\u{301}", "\"\u{301}", "a\tb\\n"]) func aRowHasNoSingleBackslash(value: String) {
        let line = ServerConnection.line(PlanRow(number: 1, line: 2, fields: [PlanField(name: "a", value: value)]))

        let fields = line.split(separator: "\t").last.map(String.init) ?? ""
        #expect(
            fields.utf8.split(omittingEmptySubsequences: true) { $0 != UInt8(ascii: "\\") }
                .allSatisfy { $0.count.isMultiple(of: 2) })
    }
}
