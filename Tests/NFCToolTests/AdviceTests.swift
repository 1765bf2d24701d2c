// What a failure advises to do next

import ReaderInterface
import TagTypes
import Testing

@testable import nfctool

@Suite struct AdviceTests {
    @Test(arguments: [(TagError.Contents.unchanged, true), (.unchangedOrEmpty, false), (.empty, false)])
    func nothingWasWrittenIsSaidOfAnUnchangedTagOnly(contents: TagError.Contents, isSaid: Bool) throws {
        let cause = TagError.reader(.cannotSend(command: 0x21, reader: "ACS ACR1552", technology: .nfcV))
        let failure = try #require(
            TagFailure(TagError.writeInterrupted(contents: contents, written: 0, of: 20, cause: cause)))
        let text = try #require(Advice(for: failure)).text
        #expect(text.contains("Nothing was written.") == isSaid)
        #expect(text.contains("ACR1552U") && text.contains("that can send it: "), "\(text)")
    }
}
