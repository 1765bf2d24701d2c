// How full a tag is, in words and as a bar

import MemoryPresentation
import Terminal
import Testing

@testable import nfctool

@Suite struct CapacityBarTests {
    @Test(arguments: [
        (57, 492, "57 of 492 bytes (12 %)"), (0, 492, "0 of 492 bytes (0 %)"), (1, 868, "1 of 868 bytes (under 1 %)"),
        (867, 868, "867 of 868 bytes (99 %)"), (868, 868, "868 of 868 bytes (100 %)"), (0, 0, "0 of 0 bytes"),
        (9, 1, "9 of 1 byte (900 %)"), (-1, -1, "0 of 0 bytes"),
    ])
    func wordsAreExact(_ used: Int, _ capacity: Int, _ expected: String) {
        #expect(CapacityBar(used: used, capacity: capacity, style: .plain).text == expected)
    }

    @Test(arguments: [(0, 0), (1, 1), (246, 12), (491, 23), (492, 24), (.max, 24)])
    func barIsNeitherEmptyNorFullUnlessTheTagIs(_ used: Int, _ filled: Int) {
        let text = CapacityBar(used: used, capacity: 492, style: .terminal()).text.withoutColours
        #expect(text.prefix(24).count { $0 == "█" } == filled)
        #expect(text.prefix(24).count { $0 == "░" } == 24 - filled)
    }
}
