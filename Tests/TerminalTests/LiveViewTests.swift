// The output of a live view to a terminal

import Terminal
import Testing

@Suite struct LiveViewTests {
    @Test func onlyLinesThatChangedAreDrawn() {
        #expect(LiveView.changes(from: [], to: ["a", "b"], isWhole: false) == "\r\u{1B}[2Ka\r\n\u{1B}[2Kb\r\n")
        #expect(
            LiveView.changes(from: ["a", "b"], to: ["a", "c"], isWhole: false)
                == "\r\u{1B}[2A\r\n\u{1B}[2Kc\r\n")
        #expect(LiveView.changes(from: ["a", "b"], to: ["a"], isWhole: false) == "\r\u{1B}[2A\r\n\u{1B}[J")
        #expect(
            LiveView.changes(from: ["a"], to: ["a"], isWhole: true) == "\r\u{1B}[1A\u{1B}[2Ka\r\n\u{1B}[J")
    }
}
