// A row changes its state only together with its tag

import Foundation
import Provisioning
import Testing

@Suite struct JournalStepTests {
    @Test(arguments: JournalKind.allCases) func aRowGoesAllTheWayAndIsThereAfterReopening(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        do {
            let journal = try place.begin(rows: 3)
            #expect(try journal.claimRow(except: []) == JournalPlace.row(1))
            try journal.bind(1, to: JournalPlace.tag(1))
            #expect(try journal.boundRows().map(\.row.number) == [1])
            try journal.advance(1, of: JournalPlace.uid(1), to: .written)
            #expect(try journal.boundRows().map(\.state) == [.written])
            try journal.advance(1, of: JournalPlace.uid(1), to: .proven, proof: JournalPlace.proof)
            try journal.advance(1, of: JournalPlace.uid(1), to: .sealed)
            #expect(try journal.boundRows().isEmpty)
        }
        let journal = try #require(try place.store().open())
        #expect(journal.plan == JournalPlace.plan)
        #expect(abs(journal.begun.timeIntervalSinceNow) < 3600)
        let row = try #require(try journal.row(of: JournalPlace.tag(1).uid))
        #expect(row.row == JournalPlace.row(1))
        #expect(row.state == .sealed)
        #expect(row.tag == JournalPlace.tag(1))
        #expect(row.proof == JournalPlace.proof)
        #expect(row.reason == nil)
        #expect(row.changed != nil)
        #expect(try journal.row(1) == row)
        #expect(try journal.row(4) == nil)
        #expect(try journal.row(of: [9]) == nil)
        let proof = JournalPlace.proof
        #expect(try journal.row(verifiedWith: proof.sha256, length: proof.messageLength) == row)
        #expect(try journal.row(verifiedWith: proof.sha256, length: proof.messageLength + 1) == nil)
        #expect(try journal.row(verifiedWith: "AB", length: proof.messageLength) == nil)
        #expect(
            try journal.counts() == [.pending: 2, .bound: 0, .written: 0, .proven: 0, .sealed: 1, .failed: 0])
        #expect(try journal.claimRow(except: [])?.number == 2)
        #expect(try journal.claimRow(except: [2])?.number == 3)
        #expect(try journal.claimRow(except: [2, 3]) == nil)
    }

    @Test(arguments: JournalKind.allCases) func rowsWhoseTagsWereChangedAreFound(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let plan = PlanIdentity(file: "plan.csv", sha256: "AB12", recipe: ["--uri https://example.com/{id}"])
        let journal = try place.begin(rows: 4, plan: plan)
        for number in 1...3 {
            let uid = JournalPlace.uid(UInt8(number))
            try journal.bind(number, to: JournalPlace.tag(UInt8(number)))
            try journal.advance(number, of: uid, to: .written)
            try journal.advance(number, of: uid, to: .proven, proof: JournalPlace.proof)
        }
        #expect(try journal.repairableRows(limit: 10).isEmpty)
        for number in [2, 3] {
            let step = RowStep.remark(of: JournalPlace.uid(UInt8(number)), "It holds another message.")
            try journal.change([(number, step)])
        }
        #expect(try journal.repairableRows(limit: 10).map(\.row.number) == [2, 3])
        #expect(try journal.repairableRows(limit: 1).map(\.row.number) == [2])
        try journal.change([(2, .remark(of: JournalPlace.uid(2), nil))])
        #expect(try journal.repairableRows(limit: 10).map(\.row.number) == [3])
    }

    @Test(arguments: JournalKind.allCases) func theNextPendingRowsAreReadWithoutClaimingThem(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 5)
        #expect(try journal.claimRow(except: [])?.number == 1)
        #expect(try journal.pendingRows(limit: 10).map(\.number) == [1, 2, 3, 4, 5])
        // A row that was not claimed may be bound.
        try journal.bind(3, to: JournalPlace.tag(3))
        #expect(try journal.pendingRows(limit: 3).map(\.number) == [1, 2, 4])
        #expect(try journal.pendingRows(limit: 1) == [JournalPlace.row(1)])
    }

    /// Requests every state from every state.
    ///
    /// Only the changes that are listed here are allowed.
    @Test func onlyTheLegalStepsAreTaken() throws {
        let legal: [RowState: Set<RowState>] = [
            .bound: [.written, .failed], .written: [.written, .proven, .failed], .proven: [.sealed, .failed],
            .failed: [.written, .failed], .sealed: [.failed],
        ]
        let place = try JournalPlace()
        let journal = try place.begin(rows: 36)
        var number = 0
        for from in RowState.allCases {
            for to in RowState.allCases {
                number += 1
                try bring(number, to: from, in: journal)
                let before = try journal.row(number)
                if legal[from]?.contains(to) == true {
                    try journal.advance(number, of: JournalPlace.uid(UInt8(number)), to: to, proof: JournalPlace.proof)
                    #expect(try journal.row(number)?.state == to)
                } else {
                    // A pending row has no tag whose step could count.
                    let error =
                        from == .pending
                        ? JournalError.rowMoved(row: number) : .illegalStep(row: number, from: from, to: to)
                    #expect(throws: error) {
                        try journal.advance(
                            number, of: JournalPlace.uid(UInt8(number)), to: to, proof: JournalPlace.proof)
                    }
                    #expect(try journal.row(number) == before)
                }
            }
        }
        #expect(number == 36)
        #expect(try counted(journal) == journal.counts())
    }

    @Test(arguments: JournalKind.allCases) func aRowIsProvenOnlyByAProof(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: .written, in: journal)
        #expect(throws: JournalError.proofMissing(row: 1)) {
            try journal.advance(1, of: JournalPlace.uid(1), to: .proven)
        }
    }

    @Test(arguments: JournalKind.allCases, RowState.allCases) func aRowIsFreedOnlyWhileItsTagIsNotProven(
        kind: JournalKind, state: RowState
    ) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: state, in: journal)
        if state == .bound || state == .written {
            try journal.note(1, of: JournalPlace.uid(1), reason: "The tag was taken away.")
            try journal.free(1, of: JournalPlace.uid(1), refusing: JournalPlace.refused(1, quarantined: true))
            let row = try #require(try journal.row(1))
            #expect(row.state == .pending && row.tag == nil && row.proof == nil)
            #expect(row.reason == "The tag was taken away.")
            #expect(try journal.refusal(of: JournalPlace.tag(1).uid) == JournalPlace.refused(1, quarantined: true))
            #expect(try journal.row(of: JournalPlace.tag(1).uid) == nil)
        } else {
            let error =
                state == .pending
                ? JournalError.rowMoved(row: 1) : .illegalStep(row: 1, from: state, to: .pending)
            #expect(throws: error) {
                try journal.free(1, of: JournalPlace.uid(1), refusing: JournalPlace.refused(9, quarantined: true))
            }
            #expect(try journal.refusal(of: JournalPlace.tag(9).uid) == nil)
        }
        #expect(try counted(journal) == journal.counts())
    }

    @Test(arguments: JournalKind.allCases, RowState.allCases) func onlyARowThatIsDoneGetsARemark(
        kind: JournalKind, state: RowState
    ) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: state, in: journal)
        let before = try #require(try journal.row(1))
        // Another station may find that a tag was changed.
        let finder = kind == .server ? try #require(try place.store(station: "desk-2").open()) : journal
        func remark(_ text: String?, by byte: UInt8 = 1) throws {
            try finder.change([(1, .remark(of: JournalPlace.uid(byte), text))])
        }
        guard state == .proven || state == .sealed else {
            #expect(throws: JournalError.self) { try remark("It holds another message.") }
            #expect(try journal.row(1) == before)
            return
        }
        #expect(throws: JournalError.rowMoved(row: 1)) { try remark("It holds another message.", by: 2) }
        for text in ["It holds another message.", nil] {
            try remark(text)
            let row = try #require(try journal.row(1))
            #expect(row.reason == text && row.state == state && row.tag == before.tag && row.proof == before.proof)
            // The certificate shows when the tag was verified, not when it was read again.
            #expect(row.station == before.station && row.changed == before.changed)
        }
        #expect(try counted(journal) == journal.counts())
        // Its station may continue with a row that was done.
        guard state == .sealed else { return }
        try journal.fail(1, of: JournalPlace.uid(1), reason: "It was erased.")
        #expect(try journal.row(1)?.state == .failed)
    }

    @Test(arguments: JournalKind.allCases, RowState.allCases) func aRowThatItsTagHoldsIsReleasedOnlyByForce(
        kind: JournalKind, state: RowState
    ) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: state, in: journal)
        switch state {
        case .pending:
            #expect(throws: JournalError.illegalStep(row: 1, from: .pending, to: .pending)) {
                try journal.release(1)
            }
            return
        case .written, .proven, .sealed:
            let error = JournalError.tagHoldsRow(row: 1, state: state, uid: JournalPlace.tag(1).uid)
            #expect(throws: error) { try journal.release(1) }
            #expect(try journal.row(1)?.state == state)
            try journal.release(1, evenIfProven: true)
        case .bound, .failed: try journal.release(1)
        }
        #expect(try journal.row(1)?.state == .pending)
        // The tag may be found again.
        let refusal = try #require(try journal.refusal(of: JournalPlace.uid(1)))
        #expect(refusal.cause == .known(.rowMoved) && !refusal.isQuarantined)
        let fact =
            switch state {
            case .written: "It probably carries row 1, which was released."
            case .proven, .sealed: "It carries row 1, which was released."
            default: "It may carry all or part of row 1, which was released."
            }
        #expect(refusal.reason == fact)
        // No reader refused the tag.
        #expect(try journal.activity().stations.allSatisfy { $0.refusals.isEmpty })
        try journal.bind(1, to: JournalPlace.tag(2))
    }

    @Test(arguments: JournalKind.allCases) func aRowThatFailedAfterItsProofIsStillOnItsTag(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: .proven, in: journal)
        try journal.fail(1, of: JournalPlace.uid(1), reason: "It cannot be locked.")
        #expect(try journal.row(1)?.proof == JournalPlace.proof)
        #expect(throws: JournalError.tagHoldsRow(row: 1, state: .failed, uid: JournalPlace.tag(1).uid)) {
            try journal.release(1)
        }
    }

    /// The row was released and given to another tag in the meantime, so steps of its old tag do not count.
    @Test(arguments: JournalKind.allCases) func aStepOfAnotherTagIsRefused(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try journal.bind(1, to: JournalPlace.tag(1))
        try journal.release(1)
        try journal.bind(1, to: JournalPlace.tag(2))
        let (old, moved) = (JournalPlace.uid(1), JournalError.rowMoved(row: 1))
        #expect(throws: moved) { try journal.advance(1, of: old, to: .written) }
        #expect(throws: moved) { try journal.advance(1, of: old, to: .proven, proof: JournalPlace.proof) }
        #expect(throws: moved) { try journal.note(1, of: old, reason: "It left.") }
        #expect(throws: moved) { try journal.fail(1, of: old, reason: "It refused.") }
        #expect(throws: moved) { try journal.free(1, of: old) }
        let row = try #require(try journal.row(1))
        #expect(row.state == .bound && row.tag == JournalPlace.tag(2) && row.proof == nil && row.reason == nil)
        #expect(try journal.refusal(of: old)?.cause == .known(.rowMoved))
    }

    @Test(arguments: JournalKind.allCases) func aTagGetsOneRowAndARowOneTag(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 3)
        try journal.bind(1, to: JournalPlace.tag(1))
        #expect(throws: JournalError.tagHasRow(uid: JournalPlace.tag(1).uid, row: 1)) {
            try journal.bind(2, to: JournalPlace.tag(1))
        }
        #expect(throws: JournalError.tagHasRow(uid: JournalPlace.tag(1).uid, row: 1)) {
            try journal.bind(1, to: JournalPlace.tag(1))
        }
        #expect(throws: JournalError.notPending(row: 1, state: .bound)) {
            try journal.bind(1, to: JournalPlace.tag(2))
        }
        #expect(throws: JournalError.noSuchRow(4)) { try journal.bind(4, to: JournalPlace.tag(4)) }
        #expect(throws: JournalError.noSuchRow(0)) { try journal.note(0, of: JournalPlace.uid(0), reason: "") }
        #expect(throws: JournalError.tagHasRow(uid: JournalPlace.tag(1).uid, row: 1)) {
            try journal.refuse(JournalPlace.refused(1, quarantined: false))
        }
        #expect(try journal.counts()[.bound] == 1)
    }

    @Test(arguments: JournalKind.allCases) func anotherChipWithTheUIDOfARowIsRecordedBesideTheRow(
        kind: JournalKind
    ) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1)
        try bring(1, to: .sealed, in: journal)
        let uid = JournalPlace.uid(1)
        func refused(_ cause: String) -> RefusedTag {
            RefusedTag(
                uid: uid, chip: "NTAG213", reader: "reader", cause: cause, reason: "It is another chip.",
                isQuarantined: false, time: Date(timeIntervalSince1970: 1_795_748_307))
        }
        #expect(throws: JournalError.tagHasRow(uid: uid, row: 1)) { try journal.refuse(refused("readOnly")) }
        try journal.refuse(refused("sameUID"))
        #expect(try journal.refusal(of: uid) == refused("sameUID"))
        #expect(try journal.row(of: uid)?.state == .sealed)
        guard case .row = try journal.standing(of: uid) else {
            Issue.record("The tag has no row.")
            return
        }
    }

    @Test(arguments: JournalKind.allCases) func rowsAndTagsComeInOrderAlsoOverManyPages(kind: JournalKind) throws {
        let place = try JournalPlace(kind)
        let journal = try place.begin(rows: 1203)
        for number in stride(from: 1203, through: 3, by: -3) {
            let uid = [0x04, UInt8(number >> 8), UInt8(number & 0xFF)]
            try journal.bind(
                number, to: BoundTag(uid: uid, chip: "", reader: "", bound: Date(timeIntervalSince1970: 0)))
        }
        for index in 0..<1100 {
            let uid = [0x05, UInt8(index >> 8), UInt8(index & 0xFF)]
            // Two refusals in the same millisecond are ordered by their UIDs.
            let time = Date(timeIntervalSince1970: 1_795_748_307 + Double((1099 - index) / 2) / 1000)
            try journal.refuse(
                RefusedTag(uid: uid, chip: "", reader: "", cause: "", reason: "", isQuarantined: false, time: time))
        }
        func numbers(_ states: Set<RowState>) throws -> [Int] {
            var numbers: [Int] = []
            // The journal may be queried at the same time.
            try journal.forEachRow(in: states) { row in
                if try journal.row(row.row.number) == row { numbers.append(row.row.number) }
            }
            return numbers
        }
        #expect(try numbers(Set(RowState.allCases)) == Array(1...1203))
        #expect(try numbers([.bound]) == Array(stride(from: 3, through: 1203, by: 3)))
        #expect(try numbers([.pending]) == (1...1203).filter { !$0.isMultiple(of: 3) })
        #expect(try numbers([.bound, .sealed]) == Array(stride(from: 3, through: 1203, by: 3)))
        #expect(try numbers([.failed]).isEmpty)
        #expect(try numbers([]).isEmpty)
        var times: [Date] = []
        try journal.forEachRefusedTag { tag in times.append(tag.time) }
        #expect(times.count == 1100)
        #expect(times == times.sorted())
    }

    /// Returns the number of rows in each state, counted one by one.
    private func counted(_ journal: any ProvisionJournal) throws -> [RowState: Int] {
        var counts = Dictionary(uniqueKeysWithValues: RowState.allCases.map { ($0, 0) })
        try journal.forEachRow(in: Set(RowState.allCases)) { row in counts[row.state, default: 0] += 1 }
        return counts
    }

    private func bring(_ number: Int, to state: RowState, in journal: any ProvisionJournal) throws {
        let way: [RowState]
        switch state {
        case .pending: return
        case .bound: way = []
        case .written: way = [.written]
        case .proven: way = [.written, .proven]
        case .sealed: way = [.written, .proven, .sealed]
        case .failed: way = [.failed]
        }
        try journal.bind(number, to: JournalPlace.tag(UInt8(number)))
        for step in way {
            try journal.advance(
                number, of: JournalPlace.uid(UInt8(number)), to: step, proof: step == .proven ? JournalPlace.proof : nil
            )
        }
    }
}
