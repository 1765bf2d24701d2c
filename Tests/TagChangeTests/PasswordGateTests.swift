// The warning before a password that may be the last try — NXP NTAG21x, AUTHLIM

import Foundation
import ReaderSession
import SafeTag
import TagTypes
import Testing
import WriteJournal

@Suite struct PasswordGateTests {
    private static let uid: [UInt8] = [0x04, 0xA1, 0xB2]

    private static let last = "This is the last try: one more wrong password closes the tag permanently."
    private static let perhapsLast = "This may be the last try: one more wrong password may close the tag permanently."

    private static let closed =
        "The tag is probably closed permanently: the wrong passwords from this computer have reached its limit."

    /// The answers of a tag that closes after 3 wrong passwords, and the warning before the next password.
    private static let cases: [([PasswordJournal.Outcome], String?)] = [
        ([.refused], nil), ([.unanswered], nil), ([.refused, .refused], last), ([.refused, .unanswered], perhapsLast),
        ([.unanswered, .unanswered], perhapsLast), ([.refused, .refused, .accepted], nil),
        ([.unanswered, .unanswered, .accepted], nil), ([.refused, .refused, .refused], closed),
        ([.refused, .refused, .unanswered, .refused], closed),
    ]

    @Test(arguments: cases)
    func theLastTryIsAnnouncedInTime(answers: [PasswordJournal.Outcome], warning: String?) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passwords-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let journal = PasswordJournal(beside: WriteJournal(folder: folder.appending(path: "writes")))
        for (number, answer) in answers.enumerated() {
            let secret: [UInt8] = [0, 0, 0, UInt8(number)]
            try journal.note(.unanswered, of: secret, uid: Self.uid)
            if answer != .unanswered { try journal.note(answer, of: secret, uid: Self.uid) }
        }
        let password = try #require(Type2Password(pwd: [9, 9, 9, 9]))
        let attempt = PasswordAttempt(uid: Self.uid, credential: .password(password))
        let gate = PasswordGate(.given(false), journal: journal)
        let risk = #expect(throws: PasswordRisk.self) { try gate.willSend(attempt, limit: .count(3)) }
        let facts = try #require(risk).facts.split(separator: "\n")
        let told = facts.last { $0.contains("last try") || $0.contains("is probably closed") }
        #expect(told.map { String($0) } == warning)
    }
}
