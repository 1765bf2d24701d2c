// The message of a command that the user ends: that it was interrupted, or the state in which it leaves the tag

import ReaderSession
import ReaderInterface
import SafeTag
import Testing

@testable import TagTypes
@testable import nfctool

@Suite struct InterruptionTests {
    @Test func whatTheTagIsLeftAsIsTold() throws {
        let aborted = TagError.reader(.aborted)
        let changed: [(error: any Error, says: String)] = [
            (
                TagError.lockInterrupted(done: ["static lock bits"], missing: [], cause: aborted),
                "Bits set: static"
            ),
            (TagError.protectionInterrupted(done: [], missing: ["password"], cause: aborted), "not verified: password"),
            (
                ProtectionCut.error(aborted, afterProtecting: true),
                "The tag requires the new password now."
            ),
            (
                RestoreInterrupted(cause: aborted, old: "/old.json"),
                "Some blocks may have been written"
            ),
        ]
        for (error, says) in changed {
            let interrupted = Interrupted(cause: error)
            #expect(interrupted.description.contains(says))
            #expect(interrupted.kind == .interrupted)
        }
        #expect(
            FailureDetail.all(of: Interrupted(cause: ProtectionCut.error(aborted, afterProtecting: true)))["password"]
                == .text("new"))
    }

    @Test func aCommandThatHasNothingToTellWasInterrupted() {
        for cause in [nil, TagError.reader(.aborted), NoTagCame(after: .seconds(1))] as [(any Error)?] {
            #expect(Interrupted(cause: cause).description == "Interrupted.")
        }
    }

    @Test func howFarTheCommandCameIsSaid() {
        #expect(Interrupted(cause: nil, remark: "24 rows remain.").description == "Interrupted. 24 rows remain.")
    }

    @Test func howToGoOnIsAdvised() throws {
        let restore = RestoreInterrupted(cause: TagError.reader(.aborted), old: "/old.json")
        let told = try #require(TagFailure(Interrupted(cause: restore)))
        #expect(Advice(for: told)?.text.contains("nfctool restore /old.json") == true)
        #expect(Advice(for: try #require(TagFailure(Interrupted(cause: nil)))) == nil)
    }
}
