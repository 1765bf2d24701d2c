// A tag in quarantine gets no row until it is removed from quarantine

import Provisioning
import Testing

@Suite struct QuarantineTests {
    @Test(arguments: JournalKind.allCases) func aQuarantineStaysUntilItIsEnded(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        let uid = JournalPlace.tag(1).uid
        try journal.refuse(JournalPlace.refused(1, quarantined: true, at: 10))
        try journal.refuse(JournalPlace.refused(1, quarantined: false, at: 20))
        #expect(try journal.refusal(of: uid) == JournalPlace.refused(1, quarantined: true, at: 20))
        #expect(throws: JournalError.quarantined(uid: uid)) { try journal.bind(1, to: JournalPlace.tag(1)) }
        #expect(try journal.unquarantine(uid))
        #expect(try !journal.unquarantine(uid))
        try journal.bind(1, to: JournalPlace.tag(1))
        #expect(try journal.refusal(of: uid) == nil)
    }
}
