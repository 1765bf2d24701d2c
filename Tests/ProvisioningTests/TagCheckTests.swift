// Differences between a tag and its row

import DurableFiles
import Foundation
import TagTypes
import Testing

@testable import Provisioning

@Suite struct TagCheckTests {
    private static func check(
        _ state: RowState?, signature: String? = nil, _ find: (inout TagCheck) -> Void = { _ in },
        seal: RowSeal = RowSeal()
    ) -> [TagCheck.Problem] {
        judged(state, signature: signature, find, seal: seal).problems
    }

    private static func judged(
        _ state: RowState?, signature: String? = nil, _ find: (inout TagCheck) -> Void = { _ in },
        seal: RowSeal = RowSeal()
    ) -> TagCheck {
        let tag = BoundTag(uid: [4, 1, 2], chip: "NTAG213", reader: "x", bound: .now)
        let row = state.map {
            JournalRow(
                row: PlanRow(number: 1, line: 2, fields: []), state: $0, tag: tag,
                proof: RowProof(messageLength: 1, sha256: "AB", signature: signature, seconds: 1), reason: nil,
                changed: nil)
        }
        var check = TagCheck(ProvisionedTag(reader: "x", uid: "040102", chip: "NTAG213"), uid: [4, 1, 2], row: row)
        check.content = .same
        check.isLocked = seal.lock
        check.password = seal.protect ? .asked : TagCheck.Password.none
        find(&check)
        check.judge(seal)
        #expect(check.agrees == check.problems.isEmpty && (check.words == "agrees") == check.agrees)
        return check
    }

    @Test func aTagThatIsAsItsRowWantsAgrees() {
        #expect(Self.check(.proven) == [])
        for seal in [RowSeal(lock: true), RowSeal(protect: true), RowSeal(lock: true, protect: true)] {
            #expect(Self.check(.sealed, seal: seal) == [])
            #expect(Self.check(.sealed, { if seal.protect { $0.password = .accepted } }, seal: seal) == [])
        }
        #expect(Self.check(.proven, signature: "genuine", { $0.signature = "genuine" }) == [])
        // A chip without a password, and a row without a recorded signature, are no problem.
        #expect(Self.check(.proven, { $0.password = .notSupported }) == [])
        #expect(Self.check(.proven, { $0.signature = "genuine" }) == [])
    }

    @Test func whatIsNotKnownOfATagIsNoAgreement() {
        let (lock, protect) = (RowSeal(lock: true), RowSeal(protect: true))
        #expect(Self.check(.proven, { $0.password = nil }) == [.passwordUnknown])
        #expect(Self.check(.sealed, { $0.password = nil }, seal: protect) == [.passwordUnknown])
        #expect(Self.check(.sealed, { $0.password = .notSupported }, seal: protect) == [.notProtected])
        #expect(Self.check(.proven, { $0.isLocked = nil }) == [.lockUnknown])
        #expect(Self.check(.sealed, { $0.isLocked = nil }, seal: lock) == [.lockUnknown])
        #expect(Self.check(.proven, signature: "genuine", { $0.signature = nil }) == [.otherSignature])
        #expect(Self.check(.proven, { $0.isOtherChip = true }) == [.otherChip])
    }

    @Test func eachDifferenceHasItsName() {
        #expect(Self.check(nil) == [.unknownTag])
        for state in [RowState.bound, .written, .failed] { #expect(Self.check(state) == [.unfinished]) }
        #expect(Self.check(.proven, seal: RowSeal(lock: true)) == [.unfinished])
        #expect(Self.check(.proven, { $0.content = .changed }) == [.contentChanged])
        #expect(Self.check(.proven, { $0.content = .erased }) == [.erased])
        #expect(
            Self.check(.proven, { ($0.content, $0.isLocked, $0.password) = (.unreadable, nil, nil) }) == [.unreadable])
        #expect(Self.check(.sealed, { $0.isLocked = false }, seal: RowSeal(lock: true)) == [.notLocked])
        #expect(Self.check(.proven, { $0.isLocked = true }) == [.locked])
        let protect = RowSeal(protect: true)
        #expect(Self.check(.sealed, { $0.password = TagCheck.Password.none }, seal: protect) == [.notProtected])
        #expect(Self.check(.sealed, { $0.password = .refused }, seal: protect) == [.wrongPassword])
        #expect(Self.check(.proven, { $0.password = .asked }) == [.protected])
        #expect(Self.check(.proven, signature: "genuine", { $0.signature = "notGenuine" }) == [.otherSignature])
        #expect(
            Self.check(.proven, { ($0.content, $0.isLocked) = (.changed, true) }) == [.contentChanged, .locked])
    }

    @Test func onlyARowThatItsOwnTagLostIsToBeReset() {
        for content in [TagCheck.Content.changed, .erased] {
            for state in [RowState.proven, .sealed, .failed] {
                #expect(Self.judged(state, { $0.content = content }).lostRow == 1)
            }
            // A reset refuses rows in these states.
            for state in [RowState.bound, .written] {
                #expect(Self.judged(state, { $0.content = content }).lostRow == nil)
            }
            // The row's own tag may still hold the row.
            let other = Self.judged(.proven, { ($0.content, $0.isOtherChip) = (content, true) })
            let unsigned = Self.judged(.proven, signature: "genuine", { $0.content = content })
            #expect(other.lostRow == nil && unsigned.lostRow == nil)
            #expect(Self.judged(nil, { $0.content = content }).lostRow == nil)
        }
        for content in [TagCheck.Content.same, .unreadable] {
            #expect(Self.judged(.proven, { $0.content = content }).lostRow == nil)
        }
    }

    @Test func aPasswordForTooFewBlocksOrForReadingIsADifference() {
        let protect = RowSeal(protect: true)
        for password in [TagCheck.Password.asked, .accepted] {
            func check(from first: Int?, reading: Bool?) -> [TagCheck.Problem] {
                Self.check(
                    .sealed, { ($0.password, $0.protectedFrom, $0.isReadingProtected) = (password, first, reading) },
                    seal: protect)
            }
            #expect(check(from: 4, reading: false) == [])
            #expect(check(from: 0, reading: false) == [])
            #expect(check(from: 5, reading: false) == [.partlyProtected])
            #expect(check(from: 4, reading: true) == [.readingProtected])
            #expect(check(from: 16, reading: true) == [.partlyProtected, .readingProtected])
            #expect(check(from: nil, reading: true) == [.readingProtected])
        }
        // If the row specifies no password, only one problem is reported.
        #expect(
            Self.check(.proven, { ($0.password, $0.protectedFrom, $0.isReadingProtected) = (.asked, 16, true) })
                == [.protected])
    }

    @Test func theFirstProtectedBlockIsNamed() {
        var check = TagCheck(ProvisionedTag(reader: "x", uid: "04", chip: "c"), uid: [4], row: nil)
        check.problems = [.partlyProtected]
        check.protectedFrom = 16
        #expect(check.words == "its password protects only the blocks from 16 onwards")
    }

    @Test func whatATagAsksForIsTakenOver() {
        var check = TagCheck(ProvisionedTag(reader: "x", uid: "04", chip: "c"), uid: [4], row: nil)
        check.note(PasswordDemand(password: .none, rules: nil))
        #expect(check.password == TagCheck.Password.none && check.isReadingProtected == nil)
        // In this case, reading the configuration requires the password.
        check.note(PasswordDemand(password: .asked, rules: nil))
        #expect(check.protectedFrom == nil && check.isReadingProtected == true)
        let rules = ProtectionRules(first: 16, isReadingProtected: true, limit: 0)
        check.note(PasswordDemand(password: .accepted, rules: rules))
        #expect(check.password == .accepted && check.protectedFrom == 16 && check.isReadingProtected == true)
        check.note(nil)
        #expect(check.password == nil)
    }

    private static func unseen(_ number: Int) -> JournalRow {
        JournalRow(
            row: PlanRow(number: number, line: number + 1, fields: []), state: .proven,
            tag: BoundTag(uid: [4, UInt8(number)], chip: "c", reader: "x", bound: .now), proof: nil, reason: nil,
            changed: nil)
    }

    @Test func everyRowWithATagCountsAsNotCheckedUnlessFewerAreWanted() {
        var summary = VerificationSummary(rows: 5, checks: [TagCheck](), elapsed: .zero)
        for row in [2, 4, 5] { summary.addUnseen(Self.unseen(row)) }
        #expect(summary.tagsUnseen == [[4, 2], [4, 4], [4, 5]])
        let expected: [(wanted: Int?, rows: Int, total: Int)] = [
            (nil, 3, 5), (2, 0, 2), (3, 1, 3), (5, 3, 5), (9, 3, 5),
        ]
        for (wanted, rows, total) in expected {
            let left = summary.unchecked(of: wanted)
            #expect(left.rows == rows && left.of == total, "\(String(describing: wanted))")
        }
    }

    @Test func aSummaryNamesTheRowsThatWereNotSeen() {
        var summary = VerificationSummary(rows: 30, checks: [TagCheck](), elapsed: .zero)
        for row in 1...25 { summary.addUnseen(Self.unseen(row)) }
        #expect(summary.text == "No tag was seen. Rows 1 to 25 were not seen." && !summary.isAgreed)
        #expect(summary.firstUnseen == Array(1...20) && summary.unseen.count == 25)
        var good = TagCheck(ProvisionedTag(reader: "x", uid: "04", chip: "c"), uid: [4], row: nil)
        #expect(
            VerificationSummary(rows: 1, checks: [good], elapsed: .zero).text
                == "1 tag seen: it agrees. No row is missing.")
        good.judge(RowSeal())
        let bad = VerificationSummary(rows: 1, checks: [good], elapsed: .zero)
        #expect(bad.text == "1 tag seen: 1 does not agree. No row is missing." && bad.problems == [.unknownTag: 1])
    }
}
