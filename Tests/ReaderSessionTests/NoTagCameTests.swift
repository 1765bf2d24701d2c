// The text of a wait that ended without a tag

import ReaderInterface
import ReaderSession
import Testing

@Suite struct NoTagCameTests {
    @Test(arguments: [
        (Duration.milliseconds(250), "250 ms"), (.seconds(5), "5 s"), (.milliseconds(5_900), "6 s"),
        (.microseconds(299_700), "300 ms"),
        (.seconds(60), "1 min"), (.seconds(152), "2 min 32 s"), (.zero, "0 ms"),
    ])
    func aWaitIsToldInItsUnits(wait: Duration, words: String) {
        #expect(wait.inWords == words)
        #expect(NoTagCame(after: wait).description == "No tag was found within \(words).")
    }
}
