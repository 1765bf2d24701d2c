import Foundation
import Testing

@testable import PCSCReaders

@Suite struct DialectTableTests {
    @Test func theTableInReadersMarkdownIsThatOfTheProgram() throws {
        let document = URL(fileURLWithPath: #filePath).appending(path: "../../../Docs/Readers.md").standardizedFileURL
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n").map(String.init)
        let table = ReaderDialect.table
        let start = try #require(lines.firstIndex(of: table[0]))
        #expect(Array(lines[start..<min(start + table.count, lines.count)]) == table)
    }

    @Test func aReaderThatSendsFramesCanDoMoreThanOneThatReadsBlocks() {
        #expect(ReaderDialect.acr1552U.abilities.contains(.type5Commands))
        #expect(!ReaderDialect.omnikey.abilities.contains(.type5Commands))
        #expect(!ReaderDialect.acr122U.abilities.contains(.type5))
        #expect(ReaderDialect.readers(with: .type2Commands).contains("ACS ACR1251U/1252U/1255U/1281U"))
    }
}
