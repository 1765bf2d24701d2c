// Damaged files with the program's own state

import DurableFiles
import Foundation
import TagTypes
import VirtualPN532

@testable import Provisioning
@testable import WriteJournal

extension FuzzTarget {
    static let journals = [
        FuzzTarget("write-journal", seeds: try entrySeeds()) { bytes in
            if let entry = try? JournalEntry(decoding: Data(bytes)) { try check(entry) }
            // Almost every input has a wrong checksum, so also decode the input with the right one.
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = Envelope(schema: 1, sha256: SHA256Digest(of: Array(text.utf8)).hex, entry: text)
            if let entry = try? JournalEntry(decoding: JSONEncoder().encode(whole)) { try check(entry) }
        },
        FuzzTarget(
            "restore-journal",
            texts: [
                #"{"options":["--otp"],"start":[4,[0,0,0,0]],"writes":[{"number":4,"bytes":[1,2,3,4]}],"isComparable":true,"#
                    + #""isStartWhole":true,"isEndWhole":true,"touched":[4],"permanent":[{"number":2,"before":[0],"name":"x"}]}"#
            ]
        ) { text in
            guard let record = try? JSONDecoder().decode(RestoreRecord.self, from: Data(text.utf8)) else { return }
            for present in [[:], [4: [1, 2, 3, 4]], [2: [], 4: [1]]] as [[Int: [UInt8]]] {
                _ = record.standing(of: present)
                _ = record.permanentlySet(in: present)
            }
        },
        FuzzTarget(
            "password-journal",
            texts: [
                #"{"schema":1,"salt":"00","wrongTries":1,"entries":[{"digest":"00","outcome":"accepted"}],"limit":3}"#
            ]
        ) { text in
            let folder = InputFolder.path.appending(path: "writes")
            let journal = PasswordJournal(beside: WriteJournal(folder: folder))
            let uid: [UInt8] = [4, 1, 2, 3]
            let file = journal.file(of: uid)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            _ = try? journal.record(of: [1, 2, 3, 4], uid: uid)
            _ = try? journal.pending(uid: uid)
        },
        FuzzTarget("plan-journal-text", texts: [#"["a","b"]"#, "1,2-9", "reserved"]) { text in
            if let texts = JournalText.texts(text) {
                try require(JournalText.texts(JournalText.list(texts)) == texts, "the list differs after writing")
            }
            _ = JournalText.fields(text)
            _ = JournalText.time(text)
            _ = RowState(rawValue: text)
        },
    ]

    private struct Envelope: Encodable {
        let schema: Int
        let sha256: String
        let entry: String
    }

    private static func check(_ entry: JournalEntry) throws {
        for direction in [WritePlan.Direction.forward, .backward] {
            _ = entry.message(direction)
            _ = entry.mirror(direction)
        }
        try require(try JournalEntry(decoding: entry.encoded()) == entry, "the entry differs after encoding")
        // A recovery carries out the plan on any tag that is on the reader.
        for target in targets {
            let channel = TapedChannel(Tape([]), card: .virtual(.ntag213), target: target)
            let tag = TagDetection.tag(on: channel, patience: TapedChannel.patience)
            _ = try? tag.carryOut(entry.plan, .forward)
            _ = try? tag.carryOut(entry.plan, .backward)
        }
    }

    private static func entrySeeds() throws -> [[UInt8]] {
        var seeds: [[UInt8]] = []
        for card in TapedCard.all {
            let channel = TapedChannel(Tape([]), card: card)
            let tag = TagDetection.tag(on: channel, patience: TapedChannel.patience)
            guard (try? tag.readNDEF()) != nil, let plan = try? tag.planWrite([0xD0, 0, 0], .throughEmpty) else {
                continue
            }
            let entry = JournalEntry(
                uid: [4, 1, 2, 3], tagName: "x", started: Date(timeIntervalSince1970: 0), plan: plan)
            let whole = try entry.encoded()
            seeds.append(Array(whole))
            let parts = try JSONSerialization.jsonObject(with: whole) as? [String: Any]
            if let inner = parts?["entry"] as? String { seeds.append(Array(inner.utf8)) }
        }
        return seeds
    }
}
