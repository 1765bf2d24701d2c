// A kind of failure has the same name wherever it is shown or stored

import ReaderInterface
import Testing

@testable import ProvisionPresentation
@testable import Provisioning
@testable import nfctool

@Suite struct FailureNameTests {
    @Test(arguments: FailureKind.allCases) func aKindOfFailureHasOneName(kind: FailureKind) {
        let name = ErrorName(kind).rawValue
        #expect(kind.word == name)
        // For the row, a tag that did not come back in time is a tag that has left.
        if kind != .noTagCame, let cause = RefusalCause(kind) { #expect(cause.rawValue == name) }
    }

    @Test func theCauseOfARefusedTagIsKnownByItsWord() {
        for cause in RefusalCause.allCases { #expect(StoredCause(word: cause.rawValue) == .known(cause)) }
        #expect(StoredCause(word: "causeOfALaterVersion") == .foreign(word: "causeOfALaterVersion"))
        #expect(StoredCause(word: "causeOfALaterVersion").word == "causeOfALaterVersion")
    }

    @Test func anErrorOfAPlanOrItsJournalIsNamedByItsKind() {
        #expect(JournalError.held(path: "j", byProcess: nil, command: "").name == .journalBusy)
        #expect(JournalError.refusedByServer(journal: "j", code: "40001", reason: "").name == .journalBusy)
        #expect(JournalError.refusedByServer(journal: "j", code: "42501", reason: "").name == .noPermission)
        #expect(JournalError.away(journal: "j", reason: "").name == .journalAway)
        #expect(PlanError(.noRows).name == .badPlan)
        #expect(PlanError(.notAFile("p")).name == .badFile)
        // If a login lacks rights, this is not reported as a lost reader.
        #expect(!JournalError.rowsNotShown(journal: "j").kind.isOfReader)
    }
}
