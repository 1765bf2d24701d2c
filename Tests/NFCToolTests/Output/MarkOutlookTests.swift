// The message about a tag that gets a mark instead of a lock

import ReaderInterface
import Testing

@testable import nfctool

@Suite struct MarkOutlookTests {
    @Test("A Type 5 Tag that is only marked is not reported as having no lock") func vicinity() {
        let marked = Target.nfcV(NFCVTarget(uid: [0xE0, 0x02, 0x23, 0, 0, 0, 0, 1])).markOutlook
        #expect(marked.hasPrefix("nfctool does not use the chip's block locks: tools that ignore this mark"))
        let felica = Target.nfcF(NFCFTarget(nfcID2: [2, 0xFE], pad: [0, 0], systemCode: [0x12, 0xFC])).markOutlook
        #expect(felica.hasPrefix("The tag has no lock: tools that ignore this mark"))
    }
}
