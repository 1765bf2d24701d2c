// A station that works like nfctool: it looks up the tag, binds, writes, verifies and locks it, all in the journal

import Chance
import DurableFiles
import Foundation
import Glibc
import Hexadecimal
import PostgreSQLJournal
import Provisioning
import SimulatedTags

/// Prints a line with one write(2), so that it is in the pipe even if the process is killed right after.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

/// An error that a station must never see.
struct Violation: Error { let text: String }

/// A station with an operator who draws tags from a box until the plan is done.
///
/// The operator is careless: some tags belong to another station or are already done.
struct SimulatedStation {
    private let journal: PostgreSQLJournal
    private let index: Int
    private let box: TagBox
    private let pace: Duration
    private let seals: SealRule
    private var chance: SplitMix
    private var draws = 0

    /// How long the database may be away.
    private static let patience = Duration.seconds(120)

    init(_ journal: PostgreSQLJournal, index: Int, box: TagBox, seed: UInt64, pace: Duration) {
        (self.journal, self.index, self.box, self.pace) = (journal, index, box, pace)
        seals = SealRule(of: journal.plan)
        chance = SplitMix(state: seed)
    }

    mutating func run() throws {
        while try !journal.progress().isComplete {
            try awaitDatabase()
            guard let tag = draw() else {
                // The remaining tags are in use by other stations.
                usleep(5000)
                continue
            }
            defer { box.putDown(tag.index) }
            do {
                try work(on: tag)
            } catch let error as JournalError where error.isPassing {
                box[momentOf: index] = .idle
            } catch JournalError.rowMoved(let row) {
                throw Violation(text: "row \(row) was moved, and nobody moves rows")
            }
            box[momentOf: index] = .idle
        }
        try journal.settle()
    }

    // MARK: The operator

    /// Draws a tag and takes it, or returns nil if none is free.
    private mutating func draw() -> SimulatedTag? {
        draws += 1
        let released = box.released
        guard released > 0 else { return nil }
        let isCareless = Int.random(in: 0..<20, using: &chance) == 0
        // First look for tags that must be placed again at this station, and for other tags only after that.
        let looksForOwn = draws % 16 == 1 || draws % 4 == 1 && released < 2000
        let first = looksForOwn ? 0 : Int.random(in: 0..<released, using: &chance)
        for pass in looksForOwn ? [true, false] : [false] {
            for step in 0..<released {
                let tag = box[(first + step) % released]
                let mayCome =
                    pass
                    ? tag.home == index && tag.pile == .open
                    : tag.pile == .open && (tag.home == nil || tag.home == index) || isCareless
                if mayCome, box.take(tag.index) { return tag }
            }
        }
        return nil
    }

    private mutating func linger() {
        guard pace > .zero else { return }
        usleep(UInt32.random(in: 0...UInt32(pace / .microseconds(5)), using: &chance))
    }

    // MARK: The database

    /// No tag is taken while the database is away.
    private func awaitDatabase() throws {
        guard case .away(let reason, _, _) = journal.reach else { return }
        say("away \(reason)")
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if let back = try journal.reachAgain() {
                guard back.moved.isEmpty else {
                    throw Violation(text: "rows \(back.moved) were moved, and nobody moves rows")
                }
                say("back \(back.after) \(back.stored)")
                return
            }
            usleep(10_000)
        }
        throw JournalError.away(journal: journal.name, reason: reason)
    }

    // MARK: A tag

    private mutating func work(on tag: SimulatedTag) throws {
        let uid = tag.uid
        box[momentOf: index] = .asking
        switch try journal.standing(of: uid) {
        case .row(let known):
            let isDone = known.state == .sealed || known.state == .proven && seals.seal(of: known.row).isNone
            if isDone {
                guard tag.content == Self.message(of: known.row, on: uid) else {
                    throw Violation(text: "row \(known.row.number) is done, and its tag \(uid.hex) does not hold it")
                }
                tag.pile = .done
            } else if journal.isOurs(known) {
                try finish(known.row, from: known.state, on: tag)
            } else {
                tag.home = known.station.flatMap { $0.split(separator: "-").last }.flatMap { Int($0) }
            }
        case .refused(let refusal) where refusal.isQuarantined:
            try requireBlank(tag)
            tag.pile = .bin
        case .refused, .unknown:
            try requireBlank(tag)
            guard let row = try journal.claimRow(except: []) else { return }
            // If the process is killed, the tag stays at this station.
            tag.home = index
            box[momentOf: index] = .binding
            do throws(JournalError) {
                try journal.bind(
                    row.number, to: BoundTag(uid: uid, chip: "NTAG213", reader: "desk-\(index)", bound: Date()))
            } catch {
                tag.home = nil
                throw error
            }
            try finish(row, from: .bound, on: tag)
        }
    }

    private func requireBlank(_ tag: SimulatedTag) throws {
        guard tag.content.isEmpty else {
            throw Violation(text: "the tag \(tag.uid.hex) has no row, and holds something")
        }
    }

    private mutating func finish(_ row: PlanRow, from state: RowState, on tag: SimulatedTag) throws {
        let (uid, message) = (tag.uid, Self.message(of: row, on: tag.uid))
        var state = state
        box[momentOf: index] = .writing
        linger()
        if tag.content != message {
            guard !tag.isFaulty else {
                tag.erase()
                try journal.free(
                    row.number, of: uid,
                    refusing: RefusedTag(
                        uid: uid, chip: "NTAG213", reader: "desk-\(index)", cause: "tagProtocol",
                        reason: "It refuses to be written.", isQuarantined: true, time: Date()))
                tag.pile = .bin
                return
            }
            tag.write(message) { linger() }
        }
        if state == .bound || state == .failed {
            try journal.advance(row.number, of: uid, to: .written)
            state = .written
        }
        box[momentOf: index] = .proving
        linger()
        guard tag.content == message else { throw Violation(text: "the tag \(uid.hex) forgot its message") }
        if state == .written {
            let proof = RowProof(
                messageLength: message.count, sha256: SHA256Digest(of: message).hex, signature: nil, seconds: 0.01)
            try journal.advance(row.number, of: uid, to: .proven, proof: proof)
            if case .near = journal.reach { say("proven \(row.number) \(uid.hex)") }
        }
        if !seals.seal(of: row).isNone {
            box[momentOf: index] = .sealing
            linger()
            tag.lock()
            try journal.advance(row.number, of: uid, to: .sealed)
        }
        tag.pile = .done
    }

    /// One URI record: `https://example.com/{id}?t={uid}` — NFC Forum URI RTD, 3.2.
    private static func message(of row: PlanRow, on uid: [UInt8]) -> [UInt8] {
        let text = Array("example.com/\(row["id"] ?? "")?t=\(uid.hex)".utf8)
        return [0xD1, 0x01, UInt8(text.count + 1), 0x55, 0x04] + text
    }
}
