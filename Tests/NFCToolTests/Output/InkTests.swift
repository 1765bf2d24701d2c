// The colours of a tag's memory, and terminals for tests

import MemoryPresentation
import Terminal
import Testing

@testable import nfctool

extension Style {
    static func terminal(_ columns: Int = 80) -> Style {
        Style(isTerminal: true, environment: ["TERM": "xterm"], columns: columns)
    }
}

extension String {
    /// The text without SGR sequences.
    var withoutColours: String { replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}

@Suite struct InkTests {
    @Test(
        arguments: [
            (Ink.locked, [4]), (.uid, [36]), (.lock, [35]), (.capabilityContainer, [33, 1]), (.tlv, [94]),
            (.ndef, [32]), (.free, [90]), (.reserved, [90]), (.configuration, [95]), (.password, [31]),
            (.counter, [93]),
        ] as [(Ink, [UInt8])])
    func everyPartOfAMemoryHasItsColour(_ ink: Ink, _ codes: [UInt8]) {
        #expect(ink.codes == codes)
    }
}
