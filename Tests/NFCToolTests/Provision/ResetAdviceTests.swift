// The commands that give rows of changed tags to other tags

import Foundation
import Provisioning
import Testing

@testable import nfctool

@Suite struct ResetAdviceTests {
    private static let journal = " --plan 'a list.csv'"

    private static func changed(_ numbers: ClosedRange<Int>) -> String? {
        ChangedTags(
            numbers.map { number in
                JournalRow(
                    row: ProvisionSamples.row(number), state: .proven,
                    tag: BoundTag(uid: [0x04, UInt8(number)], chip: "NTAG213", reader: "x", bound: .now), proof: nil,
                    reason: "It holds another message.", changed: nil)
            }
        ).text(naming: journal)
    }

    @Test func theWarningAboutChangedTagsNamesTheJournal() {
        #expect(
            Self.changed(3...3)
                == "All rows are done, but this tag has been changed since then: 0403 (row 3). To write its row again, place it; "
                + "if it holds another message, erase it first (nfctool erase), and if it lost its password, protect it (nfctool protect). "
                + "To give the row to another tag:  "
                + "nfctool provision reset 3 --plan 'a list.csv'"
        )
        let two = Self.changed(3...4)
        #expect(two?.hasSuffix("the rows to other tags:  nfctool provision reset 3 4\(Self.journal)") == true)
        #expect(ChangedTags([]).text(naming: Self.journal) == nil)
    }

    @Test func rowsThatAreNotNamedAreCounted() throws {
        let text = try #require(Self.changed(1...13))
        #expect(text.contains("040A (row 10) and 3 more. To write their rows again"), "\(text)")
        #expect(
            text.hasSuffix(
                "To give the named rows to other tags:  nfctool provision reset 1 2 3 4 5 6 7 8 9 10\(Self.journal)"))
        #expect(try #require(Self.changed(1...10)).contains("(row 10). To write"))
    }
}
