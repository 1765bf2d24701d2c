// The progress of an earlier write, judged by the tag's content: only a complete other message belongs to another
// writer

import Composing
import Foundation
import SafeTag
import TagTypes
import Testing
import WriteJournal

@Suite struct UnfinishedWorkTests {
    /// Messages of one text record each, and one with seven characters in which a chip could show a counter.
    private static let (old, new): ([UInt8], [UInt8]) = (text("the old one"), text("it is 000000."))

    private static func text(_ text: String) -> [UInt8] {
        [0xD1, 1, UInt8(text.utf8.count + 3), 0x54, 2, 0x65, 0x6E] + Array(text.utf8)
    }

    private static func entry(
        mirror: MirrorPlacement? = nil, oldMirror: MirrorPlacement? = nil,
        insured: JournalEntry.InsuredChange? = nil, from old: [UInt8] = old
    ) -> JournalEntry {
        let head = WritePlan.Piece(
            address: 16, old: [3, 0, 0, 0], new: [3, 1, 0, 0], messageOffset: 0, messageCount: 2)
        let plan = WritePlan(
            body: [], head: [head], closed: [3, 0, 0, 0], oldMessage: old, newMessage: insured == nil ? new : old)
        return JournalEntry(
            uid: [4], tagName: "NTAG213", started: Date(timeIntervalSince1970: 1), plan: plan,
            mirror: mirror?.journaled, oldMirror: oldMirror?.journaled, insured: insured)
    }

    private static let counter = MirrorPlacement(content: .counter, offset: 13)

    private static let oldCounter = MirrorPlacement(content: .counter, offset: 14)

    static let rows: [(name: String, entry: JournalEntry, held: HeldMessage, standing: UnfinishedWork.Standing)] = [
        ("old", entry(), HeldMessage(bytes: old), .oldMessage),
        ("new", entry(), HeldMessage(bytes: new), .newMessage),
        ("closed", entry(), HeldMessage(bytes: []), .broken),
        ("closed, and the old one was empty", entry(from: []), HeldMessage(bytes: []), .broken),
        ("torn", entry(), HeldMessage(bytes: nil), .broken),
        ("a torn length", entry(), HeldMessage(bytes: Array(new.prefix(9))), .broken),
        ("other", entry(), HeldMessage(bytes: text("another")), .otherMessage),
        ("the mirror is missing", entry(mirror: counter), HeldMessage(bytes: new), .broken),
        (
            "the mirror is there", entry(mirror: counter),
            HeldMessage(bytes: text("it is 00002A."), mirror: counter), .newMessage
        ),
        (
            "the mirror is elsewhere", entry(mirror: counter),
            HeldMessage(bytes: text("it 00002A00."), mirror: MirrorPlacement(content: .counter, offset: 10)),
            .otherMessage
        ),
        (
            "old, and the mirror is to come", entry(mirror: counter), HeldMessage(bytes: old), .oldMessage
        ),
        (
            "old, and shown as before", entry(oldMirror: oldCounter, from: text("it was 0000AA")),
            HeldMessage(bytes: text("it was 0000AB"), mirror: oldCounter), .oldMessage
        ),
        (
            "old, and the mirror is off", entry(oldMirror: oldCounter, from: text("it was 0000AA")),
            HeldMessage(bytes: text("it was 000000")), .hiddenMirror
        ),
        (
            "old, and shown elsewhere", entry(oldMirror: oldCounter, from: text("it was 0000AA")),
            HeldMessage(bytes: text("00002A 000000"), mirror: MirrorPlacement(content: .counter, offset: 7)),
            .hiddenMirror
        ),
        (
            "another one, and the mirror is off", entry(oldMirror: oldCounter, from: text("it was 0000AA")),
            HeldMessage(bytes: text("it is! 000000")), .otherMessage
        ),
        ("a whole message of a lock", entry(insured: .lock), HeldMessage(bytes: old), .newMessage),
        ("an empty message of a lock", entry(insured: .lock, from: []), HeldMessage(bytes: []), .newMessage),
        ("erased since a lock", entry(insured: .lock), HeldMessage(bytes: []), .emptied),
        ("a torn message of a lock", entry(insured: .lock), HeldMessage(bytes: nil), .broken),
    ]

    @Test(arguments: rows)
    func whatTheTagHoldsTells(
        row: (name: String, entry: JournalEntry, held: HeldMessage, standing: UnfinishedWork.Standing)
    ) {
        #expect(UnfinishedWork(row.entry, on: row.held).standing == row.standing, "\(row.name)")
    }

    @Test func everyPartOfAMessageIsBrokenAndNotSomebodyElses() {
        for count in 0..<Self.new.count {
            let held = HeldMessage(bytes: Array(Self.new.prefix(count)))
            #expect(UnfinishedWork(Self.entry(), on: held).standing == .broken)
        }
    }
}
