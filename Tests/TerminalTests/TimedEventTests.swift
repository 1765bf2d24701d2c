// Events with their time

import Foundation
import Terminal
import Testing

@Suite struct TimedEventTests {
    private struct Event: Encodable {
        let schema = 1
        let event = "removed"
        let uid = "04A1"
    }

    @Test func anEventHasItsTimeInUTCWithMillisecondsAmongItsMembers() throws {
        let time = Date(timeIntervalSince1970: 1_795_453_509.123)
        #expect(
            try JSONLine.string(TimedEvent(Event(), at: time))
                == #"{"event":"removed","schema":1,"time":"2026-11-23T17:05:09.123Z","uid":"04A1"}"#)
    }

    @Test func everyMillisecondIsToldAsItIs() {
        for millisecond in 0..<1000 {
            let time = Date(timeIntervalSince1970: 1_795_453_509 + Double(millisecond) / 1000)
            #expect(time.inRFC3339 == "2026-11-23T17:05:09.\(String(1000 + millisecond).dropFirst())Z")
        }
    }

    @Test func aFractionIsRoundedAlsoIntoTheNextSecond() {
        #expect(Date(timeIntervalSince1970: 0.9996).inRFC3339 == "1970-01-01T00:00:01.000Z")
    }
}
