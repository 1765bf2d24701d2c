// The record of passwords: outcomes and counts, but no passwords, and nothing from a damaged file

import DurableFiles
import Foundation
import Hexadecimal
import TagTypes
import Testing

@testable import WriteJournal

@Suite struct PasswordJournalTests {
    private let uid: [UInt8] = [0x04, 0xA1, 0xB2]
    private let one: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    private let other: [UInt8] = [0x55, 0x66, 0x77, 0x88]

    private func withJournal(_ body: (PasswordJournal) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passwords-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(PasswordJournal(beside: WriteJournal(folder: folder.appending(path: "nfctool/writes"))))
    }

    @Test func aRefusalIsRememberedByTagAndPassword() throws {
        try withJournal { journal in
            try journal.note(.unanswered, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid).outcome == .unanswered)
            #expect(try journal.record(of: one, uid: uid).wrongTries == 0)
            try journal.note(.refused, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid).outcome == .refused)
            #expect(try journal.record(of: other, uid: uid).outcome == nil)
            #expect(try journal.record(of: other, uid: uid).wrongTries == 1)
            #expect(try journal.record(of: one, uid: [0x04]).outcome == nil)
        }
    }

    @Test func anAcceptedPasswordEndsTheCountAndForgetsNoRefusal() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            try journal.note(.accepted, of: other, uid: uid)
            #expect(
                try journal.record(of: one, uid: uid) == .init(outcome: .refused, wrongTries: 0, acceptedOther: true))
            #expect(
                try journal.record(of: other, uid: uid)
                    == .init(outcome: .accepted, wrongTries: 0, isLastAccepted: true))
        }
    }

    @Test func aLostAnswerForgetsNoRefusal() throws {
        try withJournal { journal in
            for count in 1...3 {
                try journal.note(.unanswered, of: one, uid: uid)
                try journal.note(.refused, of: one, uid: uid)
                #expect(try journal.record(of: one, uid: uid).wrongTries == count)
            }
            try journal.note(.unanswered, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid) == .init(outcome: .refused, wrongTries: 3, lostAnswers: 1))
            try journal.note(.accepted, of: one, uid: uid)
            #expect(
                try journal.record(of: one, uid: uid)
                    == .init(outcome: .accepted, wrongTries: 0, isLastAccepted: true))
        }
    }

    @Test func everyLostAnswerIsCountedUntilTheTagAcceptsAPassword() throws {
        try withJournal { journal in
            for secret in [one, one, other] { try journal.note(.unanswered, of: secret, uid: uid) }
            #expect(try journal.record(of: one, uid: uid).lostAnswers == 3)
            try journal.note(.refused, of: other, uid: uid)
            let record = try journal.record(of: one, uid: uid)
            #expect(record.wrongTries == 1 && record.lostAnswers == 2 && record.possiblyWrongTries == 3)
            try journal.note(.unanswered, of: other, uid: uid)
            try journal.note(.accepted, of: other, uid: uid)
            #expect(try journal.record(of: one, uid: uid).possiblyWrongTries == 0)
        }
    }

    /// A file of an earlier version does not count lost answers.
    @Test func aFileOfAnEarlierVersionCountsItsPasswordsWithoutAnAnswer() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            let entries = ["unanswered", "accepted", "refused", "unanswered"].map {
                #"{"digest":"\#($0)","outcome":"\#($0)"}"#
            }
            let text = #"{"schema":1,"salt":"00","wrongTries":1,"entries":[\#(entries.joined(separator: ","))]}"#
            try Data(text.utf8).write(to: journal.folder.appending(path: "04A1B2.json"))
            #expect(try journal.record(of: one, uid: uid).lostAnswers == 1)
            try journal.note(.unanswered, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid).possiblyWrongTries == 3)
        }
    }

    @Test func thePasswordThatTheTagAcceptedLastMakesAllOthersAnother() throws {
        try withJournal { journal in
            #expect(try !journal.record(of: one, uid: uid).acceptedOther)
            try journal.note(.accepted, of: one, uid: uid)
            try journal.note(.accepted, of: other, uid: uid)
            #expect(try journal.record(of: one, uid: uid) == .init(outcome: nil, wrongTries: 0, acceptedOther: true))
            #expect(try !journal.record(of: other, uid: uid).acceptedOther)
            // The password is changed back.
            try journal.note(.accepted, of: one, uid: uid)
            #expect(try !journal.record(of: one, uid: uid).acceptedOther)
            #expect(try journal.record(of: other, uid: uid).acceptedOther)
        }
    }

    @Test func aLostAnswerMakesNoOldPasswordTheLastAccepted() throws {
        try withJournal { journal in
            try journal.note(.accepted, of: one, uid: uid)
            try journal.note(.accepted, of: other, uid: uid)
            try journal.note(.unanswered, of: other, uid: uid)
            #expect(
                try journal.record(of: one, uid: uid)
                    == .init(outcome: nil, wrongTries: 0, lostAnswers: 1, acceptedOther: true))
            #expect(
                try journal.record(of: other, uid: uid)
                    == .init(outcome: .unanswered, wrongTries: 0, lostAnswers: 1, isLastAccepted: true))
            try journal.note(.accepted, of: other, uid: uid)
            #expect(
                try journal.record(of: other, uid: uid)
                    == .init(outcome: .accepted, wrongTries: 0, isLastAccepted: true))
        }
    }

    @Test func aPasswordThatIsRefusedAfterItWasAcceptedMakesNoOtherTheLastAccepted() throws {
        try withJournal { journal in
            for secret in [one, other] { try journal.note(.accepted, of: secret, uid: uid) }
            try journal.note(.refused, of: other, uid: uid)
            #expect(try journal.record(of: one, uid: uid) == .init(outcome: nil, wrongTries: 1))
            #expect(try journal.record(of: other, uid: uid) == .init(outcome: .refused, wrongTries: 1))
        }
    }

    private static let rules = ProtectionRules(first: 4, isReadingProtected: true, limit: 1)

    private func change(_ opener: PendingProtection.Opener) -> PendingProtection {
        PendingProtection(before: Self.rules, wanted: Self.rules, opener: opener)
    }

    @Test func duringAChangeOnlyThePasswordThatTheTagCanAskForIsNoOtherOne() throws {
        try withJournal { journal in
            try journal.note(.accepted, of: one, uid: uid)
            try journal.begin(change(.oldOrNone), old: one, new: other, uid: uid)
            #expect(try journal.record(of: one, uid: uid).isLastAccepted)
            #expect(try journal.record(of: other, uid: uid).acceptedOther)
            try journal.note(opener: .none, uid: uid)
            for secret in [one, other] { #expect(try journal.record(of: secret, uid: uid).acceptedOther) }
            try journal.note(opener: .newOrNone, uid: uid)
            #expect(try journal.record(of: one, uid: uid).acceptedOther)
            #expect(try journal.record(of: other, uid: uid).isNewOfPending)
            #expect(try !journal.record(of: other, uid: uid).acceptedOther)
            #expect(try journal.pending(uid: uid) == change(.newOrNone))
        }
    }

    @Test func aPasswordThatTheTagWasGivenIsNotRefusedAnyMore() throws {
        try withJournal { journal in
            try journal.note(.refused, of: other, uid: uid)
            try journal.begin(change(.oldOrNone), old: one, new: other, uid: uid)
            #expect(try journal.record(of: other, uid: uid).outcome == .refused)
            try journal.note(opener: .newOrNone, uid: uid)
            #expect(try journal.record(of: other, uid: uid).outcome == nil)
        }
    }

    @Test func whatTheTagAcceptsDuringAChangeIsWhatOpensIt() throws {
        try withJournal { journal in
            try journal.begin(change(.newOrNone), old: one, new: other, uid: uid)
            try journal.note(.accepted, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid).isLastAccepted)
            #expect(try journal.record(of: other, uid: uid).acceptedOther)
            try journal.note(.accepted, of: other, uid: uid)
            #expect(try journal.record(of: other, uid: uid).isNewOfPending)
        }
    }

    @Test func aProvenChangeMakesTheNewPasswordTheLastAccepted() throws {
        try withJournal { journal in
            try journal.note(.accepted, of: one, uid: uid)
            try journal.begin(change(.newOrNone), old: one, new: other, uid: uid)
            try journal.settle(limit: 1, uid: uid)
            #expect(try journal.pending(uid: uid) == nil)
            #expect(try journal.record(of: other, uid: uid).isLastAccepted)
            #expect(try journal.record(of: one, uid: uid).acceptedOther)
            #expect(try journal.record(of: one, uid: uid).limit == 1)
        }
    }

    @Test func aChangeLeavesNoFileOfATagThatCountsNothing() throws {
        try withJournal { journal in
            let earlier = try journal.begin(change(.none), old: nil, new: other, uid: uid)
            try journal.withdraw(to: earlier, uid: uid)
            try journal.begin(change(.none), old: nil, new: other, uid: uid)
            try journal.settle(limit: 0, uid: uid)
            #expect(try FileManager.default.contentsOfDirectory(atPath: journal.folder.path) == [])
        }
    }

    /// A file of an earlier version has no field for the password that was accepted last.
    @Test(arguments: [["accepted", "accepted"], ["accepted", "unanswered"], ["accepted", "refused"]])
    func aFileOfAnEarlierVersionSaysWhatWasAcceptedLastOnlyWhereItIsKnown(outcomes: [String]) throws {
        try withJournal { journal in
            for secret in [one, other] { try journal.note(.accepted, of: secret, uid: uid) }
            let file = journal.folder.appending(path: "04A1B2.json")
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
            let salt = try #require(object?["salt"] as? String)
            let entries = zip([one, other], outcomes).map { secret, outcome in
                [
                    "digest": PasswordDigest(of: secret, salt: Array(salt.utf8)).bytes.hex, "outcome": outcome,
                ]
            }
            let old: [String: Any] = ["schema": 1, "salt": salt, "wrongTries": 0, "entries": entries]
            try JSONSerialization.data(withJSONObject: old).write(to: file)
            let (first, second) = (try journal.record(of: one, uid: uid), try journal.record(of: other, uid: uid))
            #expect(first.isLastAccepted == (outcomes[1] == "refused"))
            #expect(second.isLastAccepted == (outcomes[1] == "accepted"))
            #expect(first.acceptedOther == (outcomes[1] == "accepted"))
            #expect(second.acceptedOther == (outcomes[1] == "refused"))
        }
    }

    @Test func theLimitOfATagWithAPasswordIsRemembered() throws {
        try withJournal { journal in
            try journal.note(limit: 0, uid: uid)
            #expect(try journal.record(of: one, uid: uid).limit == nil)
            // A restore sets a limit on a tag whose passwords are not known.
            try journal.note(limit: 3, uid: uid)
            #expect(try journal.record(of: one, uid: uid).limit == 3)
            try journal.note(.accepted, of: one, uid: uid)
            try journal.note(limit: 3, uid: uid)
            try journal.note(.refused, of: other, uid: uid)
            #expect(try journal.record(of: one, uid: uid).limit == 3)
            try journal.note(limit: .min, uid: uid)
            #expect(try journal.record(of: one, uid: uid).limit == nil)
        }
    }

    @Test func aTagThatIsForgottenHasNoPasswords() throws {
        try withJournal { journal in
            try journal.forget(uid: uid)
            try journal.note(.accepted, of: one, uid: uid)
            try journal.forget(uid: uid)
            #expect(try journal.record(of: other, uid: uid) == .init(outcome: nil, wrongTries: 0))
        }
    }

    @Test func twoFilesHaveDifferentDigestsOfOnePassword() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: [1])
            try journal.note(.refused, of: one, uid: [2])
            let texts = try ["01", "02"].map {
                try String(contentsOf: journal.folder.appending(path: "\($0).json"), encoding: .utf8)
            }
            #expect(texts[0] != texts[1])
            #expect(texts.allSatisfy { !$0.contains("11223344") })
        }
    }

    @Test(arguments: ["", "{", "[]", #"{"schema":1}"#, #"{"schema":9,"salt":"","wrongTries":0,"entries":[]}"#])
    func aFileThatCannotBeJudgedIsAnError(text: String) throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            try Data(text.utf8).write(to: journal.folder.appending(path: "04A1B2.json"))
            #expect(throws: WriteJournalError.self) { try journal.record(of: one, uid: uid) }
            #expect(throws: WriteJournalError.self) { try journal.note(.accepted, of: one, uid: uid) }
        }
    }

    @Test func aFileOfANewerVersionIsNotDamagedEvenWithAnotherStructure() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            let file = journal.folder.appending(path: "04A1B2.json")
            for (text, isNewer) in [(#"{"schema":2,"tags":{}}"#, true), (#"{"schema":0,"tags":{}}"#, false)] {
                try Data(text.utf8).write(to: file)
                let wanted: WriteJournalError =
                    isNewer
                    ? .newer(path: file.path, version: 2)
                    : .damaged(path: file.path, reason: "it is not a list of password digests", movedTo: nil)
                #expect(throws: wanted) { try journal.record(of: one, uid: uid) }
            }
        }
    }

    @Test func aCountFromAFileNeverOverflows() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            let text = #"{"schema":1,"salt":"00","wrongTries":9223372036854775807,"entries":[]}"#
            try Data(text.utf8).write(to: journal.folder.appending(path: "04A1B2.json"))
            #expect(try journal.record(of: one, uid: uid).wrongTries == 1023)
            try journal.note(.refused, of: one, uid: uid)
            #expect(try journal.record(of: one, uid: uid).wrongTries == 1023)
        }
    }

    @Test func aCountBelowZeroInAFileIsZero() throws {
        try withJournal { journal in
            try journal.note(.refused, of: one, uid: uid)
            let text = #"{"schema":1,"salt":"00","wrongTries":-9223372036854775808,"entries":[]}"#
            try Data(text.utf8).write(to: journal.folder.appending(path: "04A1B2.json"))
            #expect(try journal.record(of: one, uid: uid).wrongTries == 0)
        }
    }
}
