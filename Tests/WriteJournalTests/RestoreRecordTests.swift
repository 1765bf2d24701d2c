// The part of a restore that a tag holds: none, all or a part of it, or something that was written since

import Foundation
import Testing
import WriteJournal

@Suite struct RestoreRecordTests {
    private static let start: [Int: [UInt8]] = [3: [3], 4: [4], 5: [5], 6: [6]]

    /// Creates a record of writes to blocks 4, 5 and 6, in this order.
    private static func record(
        isComparable: Bool = true, isStartWhole: Bool = true, isEndWhole: Bool = true
    ) -> RestoreRecord {
        RestoreRecord(
            dump: nil, options: [], start: start,
            writes: [(4, 0x40), (5, 0x50), (6, 0x60)].map { RestoreRecord.Write(number: $0, bytes: [$1]) },
            isComparable: isComparable, isStartWhole: isStartWhole, isEndWhole: isEndWhole, touched: [4, 5, 6])
    }

    private static func standing(_ bytes: [UInt8?], of record: RestoreRecord = record()) -> RestoreRecord.Standing {
        var blocks = start
        for (index, byte) in bytes.enumerated() { blocks[4 + index] = byte.map { [$0] } }
        return record.standing(of: blocks)
    }

    @Test func permanentBitsAreSetWhereTheirBlockIsNotAsBefore() throws {
        let bits = [(4, [0x04], "a"), (5, [0x05], "b"), (6, nil, "c"), (7, [0x07], "d")].map {
            RestoreRecord.Permanent(number: $0, before: $1, name: $2)
        }
        let record = RestoreRecord(
            dump: nil, options: [], start: [:], writes: [], isComparable: true, isStartWhole: true, isEndWhole: true,
            touched: [], permanent: bits)
        // Block 6 could not be read before, and block 7 cannot be read now.
        #expect(record.permanentlySet(in: [4: [0x04], 5: [0x15], 6: [0x06]]).map(\.name) == ["b", "c", "d"])
    }

    /// Earlier versions did not record which bits are permanent.
    @Test func aRecordOfAnOlderVersionIsRead() throws {
        let encoded = try JSONEncoder().encode(Self.record())
        var object = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(object.removeValue(forKey: "permanent") != nil)
        let old = try JSONDecoder().decode(
            RestoreRecord.self, from: try JSONSerialization.data(withJSONObject: object))
        #expect(old.permanent == nil && old.permanentlySet(in: [:]).isEmpty)
        #expect(old.writes == Self.record().writes)
    }

    @Test func aTagThatHoldsAllItHeldBeforeIsUntouched() {
        #expect(Self.standing([4, 5, 6]) == .untouched)
        #expect(Self.standing([4, 5, 6], of: Self.record(isStartWhole: false)) == .halfway)
    }

    @Test func aTagThatHoldsAllOfTheRestoreIsDone() {
        #expect(Self.standing([0x40, 0x50, 0x60]) == .done)
        #expect(Self.standing([0x40, 0x50, 0x60], of: Self.record(isEndWhole: false)) == .halfway)
        #expect(Self.standing([0x40, 0x50, 0x60], of: Self.record(isComparable: false)) == .halfway)
    }

    @Test(
        arguments: [
            [0x40, 5, 6], [0x40, 0x50, 6], [0x99, 5, 6], [0x40, 0x99, 6], [0x40, 0x50, 0x99], [0x40, nil, 6],
        ] as [[UInt8?]])
    func aTagIsHalfwayWhenTheFirstWritesAreThereAndOneMayBeTorn(bytes: [UInt8?]) {
        #expect(Self.standing(bytes) == .halfway)
    }

    @Test(arguments: [[0x99, 0x50, 6], [0x99, 0x99, 6], [4, 0x50, 0x99], [0x40, 0x99, 0x60]] as [[UInt8?]])
    func aTagWithOtherBytesWasChangedSince(bytes: [UInt8?]) {
        #expect(Self.standing(bytes) == .changed)
    }

    /// Block 4 begins the message, so it is closed first, and written last.
    @Test(
        arguments: [
            ([4, 5, 6], .untouched), ([0x00, 5, 6], .halfway), ([0x99, 5, 6], .halfway), ([0x00, 0x50, 6], .halfway),
            ([0x00, 0x99, 6], .halfway), ([0x00, 0x50, 0x60], .halfway), ([0x99, 0x50, 0x60], .halfway),
            ([0x40, 0x50, 0x60], .done), ([0x40, 5, 6], .changed), ([0x99, 0x50, 6], .changed),
            ([0x00, 0x99, 0x99], .changed), ([0x00, 5, 0x60], .changed),
        ] as [([UInt8?], RestoreRecord.Standing)])
    func aTagWhoseMessageIsClosedIsHalfway(bytes: [UInt8?], standing: RestoreRecord.Standing) {
        let record = RestoreRecord(
            dump: nil, options: [], start: Self.start,
            writes: [(5, 0x50), (6, 0x60), (4, 0x40)].map { RestoreRecord.Write(number: $0, bytes: [$1]) },
            closed: .init(number: 4, bytes: [0x00]), isComparable: true, isStartWhole: true, isEndWhole: true,
            touched: [4, 5, 6])
        #expect(Self.standing(bytes, of: record) == standing)
    }

    @Test func aBlockBesidesThoseOfTheRestoreTellsThatTheTagWasChanged() {
        var blocks = Self.start
        blocks[3] = [0x33]
        #expect(Self.record().standing(of: blocks) == .changed)
        blocks[3] = nil
        #expect(Self.record().standing(of: blocks) == .untouched)
    }
}
