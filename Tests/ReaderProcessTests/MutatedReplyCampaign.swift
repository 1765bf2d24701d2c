// Thousands of corrupted replies through the real libnfc: each ends in an error or a correct result

import Chance
import Dispatch
import Foundation
import Glibc
import ReaderInterface
import Synchronization
import Testing
import VirtualPN532

@testable import ReaderProcess

extension ReaderProcesses {
    @Suite(.serialized) struct MutatedReplyCampaign {
        private static let mutations = Campaign.count(8_000, long: 100_000)
        /// The number of parallel lines, each with a libnfc process, because libnfc mostly waits for answers that do
        /// not come.
        private static let lines = 64

        private struct Tally {
            var operations = 0
            var good = 0
            var errors: [String: Int] = [:]
            var processes = 0
            var deaths = 0
            var stuck = 0

            /// Counts the result of a call.
            ///
            /// - Throws: the call's error, if no later call of the same reader can succeed.
            mutating func count(_ call: () throws(ReaderError) -> Void) throws(ReaderError) {
                do throws(ReaderError) {
                    try call()
                    good += 1
                } catch {
                    if error.isEndOfProcess { throw error }
                    count(error)
                }
            }

            mutating func count(_ error: ReaderError) {
                guard case .readerFailed(_, let reason, let code, _) = error else {
                    errors["\(error)", default: 0] += 1
                    return
                }
                errors[reason, default: 0] += 1
                if code == EPIPE { deaths += 1 }
                if code == ETIMEDOUT { stuck += 1 }
            }
        }

        @Test func eachEndsInAnErrorOrAGoodResult() throws {
            let mutated = Atomic(0)
            let tallies = Mutex<[Tally]>([])
            let group = DispatchGroup()
            for number in 0..<Self.lines {
                let thread = Thread {
                    let tally = try? Self.work(seed: UInt64(number), until: mutated)
                    tallies.withLock { if let tally { $0.append(tally) } }
                    group.leave()
                }
                group.enter()
                thread.start()
            }
            group.wait()
            let all = tallies.withLock { $0 }
            // A line that could not be set up would be missing here.
            #expect(all.count == Self.lines)
            let count = mutated.load(ordering: .relaxed)
            #expect(count >= Self.mutations)
            let errors = all.reduce(into: [:]) { $0.merge($1.errors, uniquingKeysWith: +) }
            let (good, deaths) = (all.map(\.good).reduce(0, +), all.map(\.deaths).reduce(0, +))
            #expect(good > 0 && !errors.isEmpty)
            // Replies with the NAD bit make libnfc abort(). Without them, the test would not show what it is meant to
            // show.
            #expect(deaths > 0)
            let facts = [
                "\(count) mutated replies", "\(all.map(\.operations).reduce(0, +)) operations: \(good) good",
                "\(errors.values.reduce(0, +)) errors", "\(all.map(\.processes).reduce(0, +)) reader processes",
                "\(deaths) died in libnfc", "\(all.map(\.stuck).reduce(0, +)) were stuck and ended",
            ]
            print("Mutated replies: " + facts.joined(separator: ", ") + "; \(errors.sorted { $0.value > $1.value })")
        }

        /// Works with a reader on a separate line, and with a new reader when it ends, until enough replies were
        /// changed.
        private static func work(seed: UInt64, until mutated: borrowing Atomic<Int>) throws -> Tally {
            let kinds: [VirtualTagKind] = [.ntag213, .type4, .type3, .topaz512, .classic1k, .ultralight]
            let chip = try VirtualReader(tags: [kinds[Int(seed) % kinds.count].make(serial: Int(seed))])
            let line = MutatingLine(to: chip.path, seed: seed)
            defer {
                line.stop()
                chip.stop()
            }
            var tally = Tally()
            var told = 0
            func tell() {
                let count = line.counts.mutated
                mutated.add(count - told, ordering: .relaxed)
                told = count
            }
            while mutated.load(ordering: .relaxed) < mutations {
                tally.processes += 1
                do throws(ReaderError) {
                    let reader = try IsolatedReader(Program.nfctool)
                    // If replies were always mutated, almost no reader would open, and most of the time would be spent
                    // on starting processes.
                    line.isMutating.store(tally.processes.isMultiple(of: 4), ordering: .relaxed)
                    try reader.open(line.connection)
                    for _ in 0..<500 where mutated.load(ordering: .relaxed) < mutations {
                        try use(reader, on: line, &tally)
                        tell()
                    }
                    reader.close()
                } catch {
                    tally.count(error)
                }
                tell()
            }
            return tally
        }

        /// Makes calls with mutated replies: polls, or commands to a tag that was found without mutations.
        ///
        /// Errors are only counted while the process lives.
        private static func use(_ reader: IsolatedReader, on line: MutatingLine, _ tally: inout Tally)
            throws(ReaderError)
        {
            tally.operations += 1
            if tally.operations.isMultiple(of: 4) {
                line.isMutating.store(true, ordering: .relaxed)
                try tally.count { () throws(ReaderError) in
                    for target in try reader.poll(for: Technology.allCases) { _ = try reader.connect(to: target) }
                }
                return
            }
            line.isMutating.store(false, ordering: .relaxed)
            var found: FoundTargets = []
            try tally.count { () throws(ReaderError) in found = try reader.poll(for: Technology.allCases) }
            guard let target = found.first else { return }
            var channel: (any TagChannel)?
            try tally.count { () throws(ReaderError) in channel = try reader.connect(to: target) }
            line.isMutating.store(true, ordering: .relaxed)
            guard let channel else { return }
            for command in [[0x30, 0x00], [0x60], [0x00, 0xA4, 0x04, 0x00], [0xA2, 0x30, 0, 0, 0, 0]] as [[UInt8]] {
                for framing in [Framing.handled, .raw, .handled] {
                    try tally.count { () throws(ReaderError) in
                        _ = try channel.transceive(command, framing: framing, timeout: .milliseconds(20))
                    }
                }
            }
            try tally.count { () throws(ReaderError) in _ = try reader.presence(of: channel) }
            try tally.count { () throws(ReaderError) in
                _ = try channel.exchangeFrame([0x30, 0x00], timeout: .milliseconds(20))
            }
            try tally.count { () throws(ReaderError) in try channel.reselect() }
        }
    }
}

extension ReaderError {
    /// Whether no later call of the same reader can succeed.
    fileprivate var isEndOfProcess: Bool {
        if case .readerFailed(_, _, let code, _) = self { [EPIPE, ETIMEDOUT, EPROTO].contains(code) } else { false }
    }
}
