// The meaning of an error for the tag that was to get a row

import TagTypes
import Testing

@testable import Provisioning

@Suite struct TagTroubleTests {
    /// The advice for `passwordNeeded`, to give the password, would be wrong in this case.
    @Test func aTagWhosePasswordIsNotSupportedCountsAsReadOnly() throws {
        let trouble = try #require(TagTrouble(TagError.passwordUnsupported(block: 1)))
        #expect(trouble.cause == .readOnly)
        #expect(trouble.message.contains("not supported"))
        let needed = try #require(TagTrouble(TagError.passwordNeeded(block: 4)))
        #expect(needed.cause == .passwordNeeded)
    }
}
